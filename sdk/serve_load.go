package sdk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// newDeclaredAdapter creates an adapter and checks that it implements the capabilities that it declares, because the
// host relies on them.
func newDeclaredAdapter(c AdapterComponent) func(context.Context, Setup) (Adapter, error) {
	return func(ctx context.Context, setup Setup) (Adapter, error) {
		adapter, err := c.New(ctx, setup)
		if err != nil {
			return nil, err
		}
		if _, ok := adapter.(AdapterWithLoad); c.Capabilities.Serve && !ok {
			return nil, fmt.Errorf("its capabilities declare serve, but %T lacks the methods Load and Release "+
				"(sdk.AdapterWithLoad)", adapter)
		}
		if _, ok := adapter.(AdapterWithExport); len(c.Capabilities.ExportFormats) > 0 && !ok {
			return nil, fmt.Errorf("its capabilities declare export_formats, but %T has no Export method "+
				"(sdk.AdapterWithExport)", adapter)
		}
		if _, ok := adapter.(AdapterWithRecover); c.Capabilities.Recover && !ok {
			return nil, fmt.Errorf("its capabilities declare recover, but %T has no Recover method "+
				"(sdk.AdapterWithRecover)", adapter)
		}
		if _, ok := adapter.(AdapterWithRemoteCheckpoints); c.Capabilities.RemoteCheckpoints && !ok {
			return nil, fmt.Errorf("its capabilities declare remote_checkpoints, but %T has no DeleteCheckpoint method "+
				"(sdk.AdapterWithRemoteCheckpoints)", adapter)
		}
		return adapter, nil
	}
}

// Load implements AdapterService.
func (s *adapterServer) Load(ctx context.Context, req *awhostv1.LoadRequest) (*awhostv1.LoadResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	loader, ok := adapter.(AdapterWithLoad)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "load: the adapter generates only during training; export "+
			"the checkpoint and serve it with an inference server")
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if err := s.serve(); err != nil {
		return nil, err
	}
	out, err := loader.Load(ctx, LoadRequest{Checkpoint: req.GetCheckpoint(), Seed: req.GetSeed(),
		Policy: req.GetPolicyJson()})
	if err != nil {
		return nil, errorToStatus(err)
	}
	s.clearCalls()
	return loadResponseToWire(out), nil
}

// serve marks the process as serving a policy. It returns an error if the process trains.
func (s *adapterServer) serve() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.launches) > 0 {
		return status.Error(codes.FailedPrecondition, "load: this process is training; start another process to "+
			"serve a checkpoint")
	}
	s.loaded = true
	return nil
}

// clearCalls drops the responses of the previously loaded policy.
func (s *adapterServer) clearCalls() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = map[string]map[string]*generateCall{}
}

// Release implements AdapterService.
func (s *adapterServer) Release(ctx context.Context, req *awhostv1.ReleaseRequest) (*awhostv1.ReleaseResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	loader, ok := adapter.(AdapterWithLoad)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "release: the adapter does not serve loaded policies; its "+
			"episodes end with RunEpisode")
	}
	s.mu.Lock()
	delete(s.calls, req.GetEpisodeId())
	s.mu.Unlock()
	return &awhostv1.ReleaseResponse{}, errorToStatus(loader.Release(ctx, req.GetEpisodeId()))
}

// Export implements AdapterService.
func (s *adapterServer) Export(ctx context.Context, req *awhostv1.ExportRequest) (*awhostv1.ExportResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	exporter, ok := adapter.(AdapterWithExport)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "export: the adapter supports no export formats")
	}
	out, err := exporter.Export(ctx, ExportRequest{Checkpoint: req.GetCheckpoint(), Format: req.GetFormat(),
		Target: req.GetTarget()})
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, status.Error(codes.AlreadyExists, validUTF8(err.Error()))
	case err != nil:
		return nil, errorToStatus(err)
	}
	return exportResponseToWire(out), nil
}

// DeleteCheckpoint implements AdapterService.
func (s *adapterServer) DeleteCheckpoint(ctx context.Context,
	req *awhostv1.DeleteCheckpointRequest) (*awhostv1.DeleteCheckpointResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	remote, ok := adapter.(AdapterWithRemoteCheckpoints)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "delete checkpoint: the adapter's checkpoints are directories only")
	}
	return &awhostv1.DeleteCheckpointResponse{}, errorToStatus(remote.DeleteCheckpoint(ctx, req.GetCheckpoint()))
}
