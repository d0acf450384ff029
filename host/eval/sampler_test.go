package eval

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// mortal is an adapter whose process can be replaced. A new process has not loaded anything.
type mortal struct {
	sdk.AdapterWithLoad
	processes atomic.Int32
	holds     atomic.Int32 // the process that has loaded the policy
	loads     atomic.Int32
	during    func() // runs during a call
}

func (m *mortal) Load(context.Context, sdk.LoadRequest) (*sdk.LoadResponse, error) {
	m.loads.Add(1)
	m.holds.Store(m.processes.Load())
	return &sdk.LoadResponse{Policy: "toy", Step: 3}, nil
}

func (m *mortal) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if m.during != nil {
		m.during()
	}
	if m.holds.Load() != m.processes.Load() {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "nothing is loaded"}
	}
	return &sdk.GenerateResponse{}, nil
}

func TestCheckpoint_IsLoadedByEachProcessOnce(t *testing.T) {
	m := &mortal{}
	m.processes.Store(1)
	s := &checkpoint{AdapterWithLoad: m, where: "adapter.local.grpo",
		processes: func() int { return int(m.processes.Load()) }}
	reload := func() {
		t.Helper()
		var episodes sync.WaitGroup
		for range 8 { // all episodes that were lost with the process
			episodes.Go(func() {
				if err := s.reload(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		episodes.Wait()
	}
	ask := func() error {
		_, err := s.Generate(t.Context(), sdk.GenerateRequest{})
		return err
	}
	reload()
	if err := ask(); err != nil || s.loaded().Step != 3 {
		t.Fatalf("%v, loaded %+v", err, s.loaded())
	}
	m.processes.Add(1)
	if err := ask(); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a process without the policy: %v", err)
	}
	reload()
	m.during = func() { m.processes.Add(1) }
	if err := ask(); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a process that was replaced during the call: %v", err)
	}
	m.during = nil
	reload()
	if err := ask(); err != nil || m.loads.Load() != 3 {
		t.Errorf("%v after %d loads of three processes", err, m.loads.Load())
	}
	m.holds.Store(0)
	var aborted *sdk.GenerateError
	if err := ask(); !errors.As(err, &aborted) {
		t.Errorf("an error of the process that has the policy: %v", err)
	}
}
