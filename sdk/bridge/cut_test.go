package bridge_test

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// connectionCut limits a connection: it breaks after so many bytes, in each direction. Zero means never.
type connectionCut struct{ up, down int64 }

// cuttingProxy is a proxy that cuts connections, each by the next entry of a plan. After the plan it cuts no more.
type cuttingProxy struct {
	listener net.Listener
	target   string
	running  sync.WaitGroup

	mu   sync.Mutex
	plan []connectionCut
	cuts int
}

func newCuttingProxy(t testing.TB, plan []connectionCut) *cuttingProxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return &cuttingProxy{listener: listener, plan: plan}
}

func (s *cuttingProxy) serve(target string) {
	s.target = target
	s.running.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.running.Go(func() { s.carry(conn) })
		}
	})
}

func (s *cuttingProxy) close() {
	s.listener.Close()
	s.running.Wait()
}

func (s *cuttingProxy) next() connectionCut {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.plan) == 0 {
		return connectionCut{}
	}
	c := s.plan[0]
	s.plan = s.plan[1:]
	s.cuts++
	return c
}

// made returns the number of cut connections.
func (s *cuttingProxy) made() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cuts
}

// carry copies until one direction ends or is cut, and then closes both.
func (s *cuttingProxy) carry(worker net.Conn) {
	defer worker.Close()
	adapter, err := net.Dial("tcp", s.target)
	if err != nil {
		return
	}
	defer adapter.Close()
	c := s.next()
	var both sync.WaitGroup
	for _, way := range []struct {
		to, from net.Conn
		bytes    int64
	}{{adapter, worker, c.up}, {worker, adapter, c.down}} {
		both.Go(func() {
			if way.bytes > 0 {
				_, _ = io.CopyN(way.to, way.from, way.bytes)
			} else {
				_, _ = io.Copy(way.to, way.from)
			}
			worker.Close()
			adapter.Close()
		})
	}
	both.Wait()
}

// Wherever a connection breaks, in either direction and in the middle of a frame, each episode must have one result,
// each call must be sampled once, each event must arrive once and in order, and each boundary must be answered once.
func TestReconnect_ExactlyOnce(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		bytes := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 600), rapid.Int64Range(1, 12000))
		plan := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) connectionCut {
			return connectionCut{up: bytes.Draw(r, "up"), down: bytes.Draw(r, "down")}
		}), 1, 12).Draw(r, "plan")
		episodes, turns := rapid.IntRange(1, 12).Draw(r, "episodes"), rapid.IntRange(1, 5).Draw(r, "turns")
		reports := rapid.IntRange(0, 6).Draw(r, "reports")
		if problem := runWithCuts(t, plan, episodes, turns, reports); problem != "" {
			r.Fatal(problem)
		}
	})
}

func runWithCuts(t *testing.T, plan []connectionCut, episodes, turns, reports int) string {
	h, sampled := newHost(turns), newSampler()
	proxy := newCuttingProxy(t, plan)
	defer proxy.close()
	s, err := bridge.Listen(bridge.Options{
		Dir: t.TempDir(), Run: "r", Epoch: 1, Handler: h, Advertise: []string{proxy.listener.Addr().String()},
	})
	if err != nil {
		return err.Error()
	}
	defer closeServer(t, s)
	h.bind(s)
	proxy.serve(s.Addr())
	w, err := bridgetest.Start(within(t), bridgetest.Options{EndpointFile: s.EndpointFile(), Backoff: 1e6,
		Sample: sampled.sample})
	if err != nil {
		return err.Error()
	}
	defer w.Kill()
	var reporting sync.WaitGroup
	reporting.Go(func() { err = report(t, w, reports) })
	ids := names("e", episodes)
	runAll(t, w, ids, turns)
	reporting.Wait()
	if err != nil {
		return err.Error()
	}
	wantOnce(t, h, sampled, ids)
	if len(h.events) != 2*reports || len(h.steps) != reports {
		return fmt.Sprintf("got %d events and %d boundaries, want %d and %d", len(h.events), len(h.steps), 2*reports, reports)
	}
	for i, event := range h.events {
		if event.Log.Message != fmt.Sprint(i) {
			return fmt.Sprintf("event %d is %q", i, event.Log.Message)
		}
	}
	if t.Failed() {
		return "see above"
	}
	if h.seen(func(h *host) bool { return len(h.joined) > 1 }) {
		return "the session was dropped"
	}
	if err := w.Close(within(t)); err != nil { // it may take two sessions, if bye arrives and its answer is cut
		return err.Error()
	}
	return ""
}

// report sends two events and a boundary for each step.
func report(t testing.TB, w *bridgetest.Worker, steps int) error {
	for step := range steps {
		for i := range 2 {
			if err := w.Emit(sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: fmt.Sprint(2*step + i)}}); err != nil {
				return err
			}
		}
		response, err := w.Boundary(within(t), fmt.Sprint("b", step), sdk.StepBoundaryRequest{Step: step})
		if err != nil {
			return err
		}
		if want := fmt.Sprintf("after %d events", 2*step+2); response.Reason != want {
			return fmt.Errorf("boundary %d got %s, want %s", step, response.Reason, want)
		}
	}
	return nil
}
