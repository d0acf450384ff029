package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
)

// loadableAdapter is an adapter that can serve a policy without training, and that exports checkpoints.
type loadableAdapter struct {
	*adapter
	load     func(sdk.LoadRequest) (*sdk.LoadResponse, error)
	export   func(sdk.ExportRequest) (*sdk.ExportResponse, error)
	released []string
	deleted  func(dir string) error
}

func (a *loadableAdapter) Load(_ context.Context, req sdk.LoadRequest) (*sdk.LoadResponse, error) {
	return a.load(req)
}

func (a *loadableAdapter) Release(_ context.Context, episodeID string) error {
	a.released = append(a.released, episodeID)
	return nil
}

func (a *loadableAdapter) Export(_ context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	return a.export(req)
}

func (a *loadableAdapter) DeleteCheckpoint(_ context.Context, dir string) error {
	return a.deleted(dir)
}

func TestAdapter_LoadsAPolicyAndSamplesFromIt(t *testing.T) {
	var samples atomic.Int32
	want := &sdk.LoadResponse{Policy: "toy", Step: 7, MaxContext: 192, PolicyVersion: 8, Digest: "sha256:0"}
	var asked sdk.LoadRequest
	served := &loadableAdapter{
		adapter: &adapter{generate: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			return numberedCall(samples.Add(1)), nil
		}},
		load: func(req sdk.LoadRequest) (*sdk.LoadResponse, error) {
			asked = req
			return want, nil
		},
	}
	a := serveAdapter(t, served, &host{}).(sdk.AdapterWithLoad)
	request := sdk.LoadRequest{Checkpoint: "/run/step-7", Seed: 3, Policy: []byte(`{"path":"qwen"}`)}
	got, err := a.Load(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(request, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	expect := func(want string) {
		t.Helper()
		if got, err := generate(t.Context(), a, "e", "call"); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	expect("1")
	expect("1") // from the record
	if err := a.Release(t.Context(), "e"); err != nil {
		t.Fatal(err)
	}
	expect("2") // the record ended with the episode
	if _, err := a.Load(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	expect("3") // of another policy
	if diff := cmp.Diff([]string{"e"}, served.released); diff != "" {
		t.Errorf("released (-want +got):\n%s", diff)
	}
}

func TestAdapter_TrainsOrServes(t *testing.T) {
	fresh := func() sdk.AdapterWithLoad {
		return serveAdapter(t, &loadableAdapter{
			adapter: &adapter{train: func(context.Context, sdk.TrainRequest, sdk.Host,
				func(sdk.TrainEvent) error) error {
				return nil
			}},
			load: func(sdk.LoadRequest) (*sdk.LoadResponse, error) { return &sdk.LoadResponse{}, nil },
		}, &host{}).(sdk.AdapterWithLoad)
	}
	train := func(a sdk.Adapter) error {
		return a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l"}, nil, func(sdk.TrainEvent) error { return nil })
	}
	load := func(a sdk.AdapterWithLoad) error {
		_, err := a.Load(t.Context(), sdk.LoadRequest{})
		return err
	}
	if a := fresh(); load(a) != nil || status.Code(train(a)) != codes.FailedPrecondition {
		t.Error("a process that serves a policy accepted Train")
	}
	if a := fresh(); train(a) != nil || status.Code(load(a)) != codes.FailedPrecondition {
		t.Error("a process that trains accepted Load")
	}
}

func TestAdapter_Exports(t *testing.T) {
	want := &sdk.ExportResponse{Files: []sdk.ExportedFile{{Name: "config.json", Bytes: 12}},
		Notes: []string{"mind the end"}}
	a := serveAdapter(t, &loadableAdapter{adapter: &adapter{},
		export: func(req sdk.ExportRequest) (*sdk.ExportResponse, error) {
			if req != (sdk.ExportRequest{Checkpoint: "/run/step-7", Format: "hf", Target: "/out"}) {
				return nil, fmt.Errorf("export to %s: %w", req.Target, fs.ErrExist)
			}
			return want, nil
		}}, &host{}).(sdk.AdapterWithExport)
	got, err := a.Export(t.Context(), sdk.ExportRequest{Checkpoint: "/run/step-7", Format: "hf", Target: "/out"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := a.Export(t.Context(), sdk.ExportRequest{Target: "/taken"}); !errors.Is(err, fs.ErrExist) ||
		!strings.Contains(err.Error(), "/taken") {
		t.Errorf("an export to an existing target: %v", err)
	}
}

func TestAdapter_DeletesARemoteCheckpoint(t *testing.T) {
	a := serveAdapter(t, &loadableAdapter{adapter: &adapter{}, deleted: func(dir string) error {
		if dir != "/run/step-7" {
			return fmt.Errorf("the server does not answer for %s", dir)
		}
		return nil
	}}, &host{}).(sdk.AdapterWithRemoteCheckpoints)
	if err := a.DeleteCheckpoint(t.Context(), "/run/step-7"); err != nil {
		t.Error(err)
	}
	if err := a.DeleteCheckpoint(t.Context(), "/run/step-8"); err == nil || !strings.Contains(err.Error(),
		"the server does not answer for /run/step-8") {
		t.Errorf("an error of the server: %v", err)
	}
}

func TestAdapter_NeitherServesNorExportsWithoutTheMethods(t *testing.T) {
	a := serveAdapter(t, &adapter{}, &host{})
	_, loading := a.(sdk.AdapterWithLoad).Load(t.Context(), sdk.LoadRequest{})
	releasing := a.(sdk.AdapterWithLoad).Release(t.Context(), "e")
	_, exporting := a.(sdk.AdapterWithExport).Export(t.Context(), sdk.ExportRequest{})
	deleting := a.(sdk.AdapterWithRemoteCheckpoints).DeleteCheckpoint(t.Context(), "/run/step-7")
	for what, err := range map[string]error{"load": loading, "release": releasing, "export": exporting,
		"delete": deleting} {
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A plugin that does not implement its declared capabilities must not start.
func TestAdapter_ImplementsDeclaredCapabilities(t *testing.T) {
	for name, test := range map[string]struct {
		capabilities sdk.AdapterCapabilities
		want         string
	}{
		"serve":  {sdk.AdapterCapabilities{Serve: true}, "sdk.AdapterWithLoad"},
		"export": {sdk.AdapterCapabilities{ExportFormats: []string{"hf"}}, "sdk.AdapterWithExport"},
		"delete": {sdk.AdapterCapabilities{RemoteCheckpoints: true}, "sdk.AdapterWithRemoteCheckpoints"},
	} {
		t.Run(name, func(t *testing.T) {
			plugin := sdk.Plugin{Name: "test", Version: "1.0.0", Adapters: []sdk.AdapterComponent{{
				Component: sdk.Component{Type: "fake"}, Capabilities: test.capabilities,
				New: func(context.Context, sdk.Setup) (sdk.Adapter, error) { return &adapter{}, nil },
			}}}
			served, err := sdk.ServeInProcess(plugin, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer served.Close()
			problems, err := served.Configure(t.Context(),
				sdk.ConfigureRequest{Kind: sdk.KindAdapter, Type: "fake", Config: []byte("{}")})
			if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Detail, test.want) {
				t.Errorf("configure: %v, %v; want %q in one", problems, err, test.want)
			}
		})
	}
}

var (
	_ sdk.AdapterWithLoad              = (*loadableAdapter)(nil)
	_ sdk.AdapterWithExport            = (*loadableAdapter)(nil)
	_ sdk.AdapterWithRemoteCheckpoints = (*loadableAdapter)(nil)
)
