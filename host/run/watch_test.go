package run

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/plugin"
)

// A plugin that does not serve or does not answer is reported as the run's wait until it does.
func TestWaitsNamePluginsThatDoNotServe(t *testing.T) { synctest.Test(t, namePluginsThatDoNotServe) }

func namePluginsThatDoNotServe(t *testing.T) {
	desk := plugin.Block{Address: "environment.a.desk"}
	state := func(phase plugin.Phase, detail string) func(*watch) {
		return func(w *watch) { w.plugin(plugin.State{Block: desk, Phase: phase, Detail: detail}) }
	}
	silence := func(over bool) func(*watch) {
		return func(w *watch) {
			w.silence(plugin.Silence{
				Block: desk, PID: 7, For: 30 * time.Second, State: "stopped", Calls: []string{"Step for 31s"}, Recovered: over,
			})
		}
	}
	silent := control.Wait{
		Who: control.WaiterRun, For: "answer", Address: desk.Address, Seconds: 90,
		Detail: "process 7 is stopped; calls to it: Step for 31s",
	}
	w := &watch{}
	for _, step := range []struct {
		name   string
		happen func(*watch)
		want   []control.Wait
	}{
		{"starting", state(plugin.Starting, ""), []control.Wait{
			{Who: control.WaiterRun, For: "start", Address: desk.Address, Seconds: 60},
		}},
		{"ready", state(plugin.Ready, ""), nil},
		{"silent", silence(false), []control.Wait{silent}},
		{"answers", silence(true), nil},
		{"silent again", silence(false), []control.Wait{silent}},
		{"restarting", state(plugin.Restarting, "it was killed"), []control.Wait{
			{Who: control.WaiterRun, For: "restart", Address: desk.Address, Seconds: 60, Detail: "it was killed"},
		}},
		{"ready again", state(plugin.Ready, ""), nil},
	} {
		step.happen(w)
		if diff := cmp.Diff(step.want, w.pluginWaits(time.Now().Add(time.Minute))); diff != "" {
			t.Errorf("%s: it waits for something else (-want +got):\n%s", step.name, diff)
		}
	}
}
