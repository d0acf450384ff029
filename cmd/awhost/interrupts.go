package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
)

// interrupts implements the two stages of a requested end: finish and commit the step; then stop immediately. Each
// signal or key raises the stage by one. A request over the control socket names its stage.
type interrupts struct {
	stop, abort chan struct{}
	publish     func(event.Payload)
	tell        func(format string, args ...any) // for the user

	mu      sync.Mutex
	raised  int
	signals chan os.Signal
	pipe    chan os.Signal // never read: a closed output thus becomes a write error instead of a signal
	done    chan struct{}
}

// newInterrupts starts to catch signals. They are processed when listen is called.
func newInterrupts(tell func(string, ...any)) *interrupts {
	i := &interrupts{
		tell: tell,
		stop: make(chan struct{}), abort: make(chan struct{}), signals: make(chan os.Signal, 4),
		pipe: make(chan os.Signal, 1), done: make(chan struct{}),
	}
	signal.Notify(i.signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // with nohup a run outlives its terminal
		signal.Notify(i.signals, syscall.SIGHUP)
	}
	signal.Notify(i.pipe, syscall.SIGPIPE)
	return i
}

func (i *interrupts) listen() {
	go func() {
		defer close(i.done)
		for s := range i.signals {
			i.raise(signalName(s))
		}
	}()
}

func signalName(s os.Signal) string {
	switch s {
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGINT"
}

// thirdInterrupt is a message for a user whose second interrupt had no effect.
const thirdInterrupt = 4

// raise raises the stage by one.
func (i *interrupts) raise(source string) {
	i.mu.Lock()
	i.raised++
	stage := i.raised
	i.mu.Unlock()
	if stage == thirdInterrupt {
		i.tell("awhost: exiting without waiting")
		os.Exit(run.ExitAborted.Number)
	}
	i.reach(stage, source)
}

// ask raises the stage to the requested stage. A stage that has already been reached is not repeated.
func (i *interrupts) ask(now bool, source string) {
	stage := 1
	if now {
		stage = 2
	}
	i.mu.Lock()
	reached := i.raised >= stage
	i.raised = max(i.raised, stage)
	i.mu.Unlock()
	if !reached {
		i.reach(stage, source)
	}
}

// reach performs a stage's actions.
func (i *interrupts) reach(stage int, source string) {
	switch stage {
	case 1:
		close(i.stop)
		i.publish(event.Interrupted{Stage: event.StopFirst, Source: source})
	case 2:
		close(i.abort)
		i.publish(event.Interrupted{Stage: event.StopSecond, Source: source})
	}
}

func (i *interrupts) close() {
	signal.Stop(i.signals)
	signal.Stop(i.pipe)
	close(i.signals)
	if i.publish != nil {
		<-i.done
	}
}
