package run

import (
	"context"
	"fmt"
	"strconv"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
)

// processTracker reports the state of plugin processes to the engine.
type processTracker struct{ *runner }

// Process implements rollout.ProcessTracker.
func (l processTracker) Process(address string) (number int, serving bool) {
	if instance, ok := l.plugins.Find(address); ok {
		return instance.Process()
	}
	return 0, false
}

// HoldRestart implements rollout.ProcessTracker.
func (l processTracker) HoldRestart(address string) (done func()) {
	if instance, ok := l.plugins.Find(address); ok {
		return instance.HoldRestart()
	}
	return func() {}
}

// RefundRestarts implements rollout.ProcessTracker.
func (l processTracker) RefundRestarts(address string, restarts int) {
	if instance, ok := l.plugins.Find(address); ok {
		instance.RefundRestarts(restarts)
	}
}

// kindBlamed is the kind of event for a task that killed a plugin, in the journal and in published events.
const kindBlamed = "task_blamed"

// blamed reports a task that killed a plugin or a server that the plugin depends on. A failure to record it does not
// stop the run, because the episode's failure contains the same information.
func (l *trainCall) blamed(b rollout.Blame) {
	summary := fmt.Sprintf("task %s kills %s: it was running when the process died %d times, the last time alone in a "+
		"fresh process. Its episodes fail from now on", b.Task, b.Address, b.Deaths)
	if b.Running {
		summary = fmt.Sprintf("task %s kills a server behind %s: its episodes lose their sessions even without other "+
			"episodes. They fail from now on", b.Task, b.Address)
	}
	detail := l.run.secrets.Text(b.Err.Error())
	_ = l.run.Writer.AppendEvent(context.Background(), runstore.EventRecord{
		Kind: kindBlamed, Level: "warn", Message: summary + ": " + detail, Stage: l.stage.Name, Step: l.run.nextStep(),
		Fields: map[string]string{"task": b.Task, "split": string(b.Split), "plugin": b.Address, "episode": b.Episode,
			"deaths": strconv.Itoa(b.Deaths)},
	})
	l.run.Bus.Publish(event.Warning{Code: kindBlamed, Summary: summary, Detail: detail})
}

var _ rollout.ProcessTracker = processTracker{}
