package export_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/sdk"
)

// servePlugin is the only argument that makes the test binary run as the plugin.
const servePlugin = "plugin"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == servePlugin {
		sdk.Serve(exporters())
	}
	goleak.VerifyTestMain(m)
}

// exporters returns a plugin with an adapter for each behavior of Export.
func exporters() sdk.Plugin {
	p := sdk.Plugin{Name: "exporters", Version: "1.0.0"}
	add := func(typ string, formats []string, a sdk.Adapter) {
		p.Adapters = append(p.Adapters, sdk.AdapterComponent{
			Component:    sdk.Component{Type: typ, Description: "Trains nothing."},
			Capabilities: sdk.AdapterCapabilities{ExportFormats: formats},
			New:          func(context.Context, sdk.Setup) (sdk.Adapter, error) { return a, nil },
		})
	}
	hf := []string{"hf"}
	add("copies", hf, exporter{export: func(req sdk.ExportRequest) (*sdk.ExportResponse, error) {
		return sdk.WriteExport(req, func(dir string) error { return os.CopyFS(dir, os.DirFS(req.Checkpoint)) })
	}})
	add("names_nothing", hf, exporter{export: func(sdk.ExportRequest) (*sdk.ExportResponse,
		error) {
		return &sdk.ExportResponse{}, nil
	}})
	add("writes_nothing", hf, exporter{export: func(req sdk.ExportRequest) (*sdk.ExportResponse, error) {
		return &sdk.ExportResponse{}, os.Mkdir(req.Target, 0o755)
	}})
	add("fails", hf, exporter{export: func(sdk.ExportRequest) (*sdk.ExportResponse, error) {
		return nil, errors.New("the checkpoint was trained with another vocabulary")
	}})
	add("cannot", nil, adapter{})
	return p
}

// exporter is an adapter that exports.
type exporter struct {
	adapter
	export func(sdk.ExportRequest) (*sdk.ExportResponse, error)
}

func (e exporter) Export(_ context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	return e.export(req)
}

// adapter is an adapter without calls.
type adapter struct{}

var errUnasked = errors.New("an export asks for nothing else")

func (adapter) Plan(context.Context, sdk.PlanRequest) (*sdk.PlanResponse, error) {
	return nil, errUnasked
}

func (adapter) Train(context.Context, sdk.TrainRequest, sdk.Host, func(sdk.TrainEvent) error) error {
	return errUnasked
}

func (adapter) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return nil, errUnasked
}

func (adapter) Control(context.Context, sdk.ControlRequest) error { return errUnasked }

// checkpoint returns a directory with one file.
func checkpoint(t *testing.T) *export.Source {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "weights"), []byte("1234"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &export.Source{Step: -1, Dir: dir}
}

func write(t *testing.T, typ, target string) (*sdk.ExportResponse, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(catalog.Config{Bundled: map[string]catalog.Bundled{
		"exporters": {Description: exporters().Describe(), Command: []string{self, servePlugin}, Hash: "sha256:self"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return export.Write(t.Context(), export.Config{Source: checkpoint(t), Catalog: c, Adapter: typ, Format: "hf",
		Target: target})
}

func TestWrite(t *testing.T) {
	target := filepath.Join(t.TempDir(), "models", "mine") // its parent is created
	out, err := write(t, "copies", target)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sdk.ExportedFile{{Name: "weights", Bytes: 4}}, out.Files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, err := os.ReadFile(filepath.Join(target, "weights")); err != nil || string(text) != "1234" {
		t.Errorf("the export holds %q, %v", text, err)
	}
}

// A failed export always returns the reason.
func TestWrite_SaysWhyThereIsNoExport(t *testing.T) {
	for typ, want := range map[string]string{
		"names_nothing":  `adapter "names_nothing" reports an export of`,
		"writes_nothing": `without files: this is a fault of its plugin`,
		"fails":          "the checkpoint was trained with another vocabulary",
		"cannot":         `adapter "cannot" has no export formats: `,
	} {
		t.Run(typ, func(t *testing.T) {
			out, err := write(t, typ, filepath.Join(t.TempDir(), "model"))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v, %v; want %q", out, err, want)
			}
		})
	}
}

var (
	_ sdk.Adapter           = adapter{}
	_ sdk.AdapterWithExport = exporter{}
)
