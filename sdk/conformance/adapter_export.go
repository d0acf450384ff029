package conformance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"google.golang.org/grpc/codes"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// exports returns a request to export the last checkpoint.
func (t *T) exports() *awhostv1.ExportRequest {
	all := t.trainedStage().checkpoints()
	if len(all) == 0 {
		t.fatalf("there is no checkpoint")
	}
	return &awhostv1.ExportRequest{
		Checkpoint: all[len(all)-1].GetPath(), Format: t.component.GetAdapter().GetExportFormats()[0],
		Target: filepath.Join(t.ownDir(), "exported"),
	}
}

func checkExport(t *T) {
	adapter, req := adapterOf(t.shared()), t.exports()
	out, err := adapter.Export(t.trainContext(), req)
	t.need(err, "Export")
	if len(out.GetFiles()) == 0 {
		t.errorf("the export lists no files")
	}
	there := map[string]int64{}
	t.need(filepath.WalkDir(req.GetTarget(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			name, _ := filepath.Rel(req.GetTarget(), path)
			there[filepath.ToSlash(name)] = info.Size()
		}
		return err
	}), "look at the export")
	for _, f := range out.GetFiles() {
		if size, ok := there[f.GetName()]; !ok || size != f.GetBytes() {
			t.errorf("the export lists file %s with %d bytes, but it has %d", f.GetName(), f.GetBytes(), size)
		}
		delete(there, f.GetName())
	}
	for name := range there {
		t.errorf("the export does not list its file %s", name)
	}
	_, err = adapter.Export(t.trainContext(), req)
	t.refused(err, "an export to an existing target", codes.AlreadyExists)
	t.checkExportAlone(req)
}

// checkExportAlone checks that an export wrote only its target into the directory.
func (t *T) checkExportAlone(req *awhostv1.ExportRequest) {
	list, err := os.ReadDir(filepath.Dir(req.GetTarget()))
	t.need(err, "look at the export")
	for _, e := range list {
		if e.Name() != filepath.Base(req.GetTarget()) {
			t.errorf("an export leaves %s next to its target", e.Name())
		}
	}
}

func checkExportWrong(t *T) {
	adapter, req := adapterOf(t.shared()), t.exports()
	req.Format = "no-such-format"
	_, err := adapter.Export(t.trainContext(), req)
	t.refused(err, "an export in a format that does not exist", codes.Unknown)
	if _, err := os.Stat(req.GetTarget()); !errors.Is(err, fs.ErrNotExist) {
		t.errorf("a failed export leaves its target behind")
	}
	t.checkExportAlone(req)
}
