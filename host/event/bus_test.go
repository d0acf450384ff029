package event_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/event"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gate is a handler that accepts an event only when the test allows it.
type gate struct {
	entered chan struct{}
	leave   chan struct{}
	seen    []event.Event
}

func newGate() *gate {
	return &gate{entered: make(chan struct{}), leave: make(chan struct{})}
}

func (g *gate) Handle(e event.Event) {
	g.entered <- struct{}{}
	<-g.leave
	g.seen = append(g.seen, e)
}

// open accepts all events from now on. The returned function ends that and waits for it.
func (g *gate) open() (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-g.entered:
			case g.leave <- struct{}{}:
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

func fixedClock() time.Time { return noon }

func phase(step, done int) event.Phase {
	return event.Phase{Stage: "full", Name: event.PhaseRollout, Step: step, Done: done, Total: 10}
}

func TestEveryHandlerSeesTheSameOrder(t *testing.T) {
	var first, second []event.Event
	bus := event.NewBus(event.Config{Now: fixedClock},
		event.HandlerFunc(func(e event.Event) { first = append(first, e) }),
		event.HandlerFunc(func(e event.Event) { second = append(second, e) }))
	bus.Identify("quickstart-1", 1)

	var publishers sync.WaitGroup
	for i := range 4 {
		publishers.Go(func() {
			for step := range 100 {
				bus.Publish(event.StepFinished{Step: 1000*i + step})
			}
		})
	}
	publishers.Wait()
	closeBus(t, bus)

	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	if len(first) != 400 {
		t.Errorf("%d of 400 events were delivered", len(first))
	}
	for i, e := range first {
		if e.Seq != uint64(i+1) || e.Run != "quickstart-1" || e.Incarnation != 1 || !e.Time.Equal(noon) {
			t.Fatalf("event %d has the header %d %s %d %s", i, e.Seq, e.Run, e.Incarnation, e.Time)
		}
	}
}

func TestWaitingPhasesAreCoalesced(t *testing.T) {
	slow := newGate()
	bus := event.NewBus(event.Config{Now: fixedClock}, slow)
	bus.Publish(event.StageStarted{Name: "full"})
	<-slow.entered // all later events are queued
	bus.Publish(phase(1, 1))
	bus.Publish(phase(1, 2))
	bus.Publish(phase(1, 10))
	bus.Publish(event.StepFinished{Step: 1})
	bus.Publish(phase(2, 1))
	bus.Publish(phase(2, 2))
	slow.leave <- struct{}{}
	stop := slow.open()
	closeBus(t, bus)
	stop()

	want := []event.Payload{event.StageStarted{Name: "full"}, phase(1, 10), event.StepFinished{Step: 1}, phase(2, 2)}
	if diff := cmp.Diff(want, payloads(slow.seen)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyPhasesGiveWayWhenTheQueueIsFull(t *testing.T) {
	slow := newGate()
	bus := event.NewBus(event.Config{Now: fixedClock, Queue: 4}, slow)
	bus.Publish(event.StageStarted{Name: "full"})
	<-slow.entered
	bus.Publish(phase(1, 1))
	bus.Publish(event.Log{Message: "a"})
	bus.Publish(phase(1, 2))
	bus.Publish(event.Log{Message: "b"})
	bus.Publish(event.Log{Message: "c"}) // replaces phase(1, 1)

	published := make(chan struct{})
	go func() {
		defer close(published)
		bus.Publish(event.Log{Message: "d"}) // must block
	}()
	slow.leave <- struct{}{}
	stop := slow.open()
	<-published
	closeBus(t, bus)
	stop()

	want := []event.Payload{
		event.StageStarted{Name: "full"}, event.Log{Message: "a"}, phase(1, 2),
		event.Log{Message: "b"}, event.Log{Message: "c"}, event.Log{Message: "d"},
	}
	if diff := cmp.Diff(want, payloads(slow.seen)); diff != "" {
		t.Error(diff)
	}
}

func TestCloseGivesUpOnAStuckHandler(t *testing.T) {
	slow := newGate()
	bus := event.NewBus(event.Config{Now: fixedClock, Queue: 1}, slow)
	bus.Publish(event.StageStarted{})
	<-slow.entered
	bus.Publish(event.Log{Message: "waits"})
	published := make(chan struct{})
	go func() {
		defer close(published)
		bus.Publish(event.Log{Message: "blocked"})
	}()

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bus.Close(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Close returned %v", err)
	}
	<-published // no publisher is still waiting
	bus.Publish(event.Log{Message: "late"})
	slow.leave <- struct{}{} // the handler returns; the goroutine must end now
	closeBus(t, bus)
	if diff := cmp.Diff([]event.Payload{event.StageStarted{}}, payloads(slow.seen)); diff != "" {
		t.Error(diff)
	}
}

func closeBus(t *testing.T, bus *event.Bus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := bus.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

func payloads(events []event.Event) []event.Payload {
	var out []event.Payload
	for _, e := range events {
		out = append(out, e.Payload)
	}
	return out
}
