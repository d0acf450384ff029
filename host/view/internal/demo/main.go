// Command demo plays a simulated run, so that the views can be examined without training.
//
//	go run ./host/view/internal/demo                  the live screen
//	go run ./host/view/internal/demo -plain           plain lines
//	go run ./host/view/internal/demo -json            JSON lines
//	go run ./host/view/internal/demo -ending failed   completed, stopped or failed
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run() error {
	speed := flag.Float64("speed", 4, "how many times faster than the made-up clock")
	ending := flag.String("ending", "completed", "completed, stopped or failed")
	plain := flag.Bool("plain", false, "plain lines")
	asJSON := flag.Bool("json", false, "JSON lines")
	flag.Parse()

	endings := map[string]fake.Ending{"completed": fake.Completes, "stopped": fake.IsStopped, "failed": fake.Fails}
	script, ok := endings[*ending]
	if !ok {
		return fmt.Errorf("unknown ending %q", *ending)
	}
	options := view.Options{Out: os.Stdout, In: os.Stdin, Environ: os.Environ(), Version: "0.1.0"}
	switch {
	case *asJSON:
		options.Format = view.FormatJSON
	case *plain:
		options.Format = view.FormatPlain
	}
	return play(fake.Run(script), options, *speed)
}

// play publishes the events at their scheduled times on a separate clock, until the second interrupt.
func play(events []event.Event, options view.Options, speed float64) error {
	begun := time.Now()
	now := func() time.Time {
		return fake.Start.Add(time.Duration(float64(time.Since(begun)) * speed))
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	var asked atomic.Int32
	interrupts := make(chan event.Interrupted, 2)
	stop := func() {
		switch asked.Add(1) {
		case 1:
			interrupts <- event.Interrupted{Stage: event.StopFirst, Source: "Ctrl-C"}
		case 2:
			interrupts <- event.Interrupted{Stage: event.StopSecond, Source: "Ctrl-C"}
		}
	}
	options.Now, options.Interrupt = now, stop
	shown := view.New(options)
	bus := event.NewBus(event.Config{Now: now}, shown)
	bus.Identify(events[0].Run, events[0].Incarnation)

	for _, e := range events {
		timer := time.NewTimer(time.Duration(float64(e.Time.Sub(now())) / speed))
		for waiting := true; waiting; {
			select {
			case <-signals:
				stop()
			case interrupt := <-interrupts:
				bus.Publish(interrupt)
				waiting = interrupt.Stage != event.StopSecond
			case <-timer.C:
				waiting = false
			}
		}
		timer.Stop()
		if asked.Load() > 1 {
			bus.Publish(event.RunFinished{Outcome: event.RunAborted, Resumable: true, Reason: "stopped by Ctrl-C"})
			break
		}
		bus.Publish(e.Payload)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := bus.Close(ctx); err != nil {
		return err
	}
	return shown.Close()
}
