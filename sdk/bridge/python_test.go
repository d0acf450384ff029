package bridge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk/bridge"
)

// pythonWorker is the output of testdata/python/worker.py.
type pythonWorker struct {
	Rewards  []float64      `json:"rewards"`
	Answers  []string       `json:"answers"`
	Calls    map[string]int `json:"calls"`
	Settings map[string]any `json:"settings"`
}

// The Python worker, which frameworks use, must work over connections that break.
func TestPython_SpeaksTheSameProtocol(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no python3 for the worker's side in Python")
	}
	for name, plan := range map[string][]connectionCut{
		"undisturbed": nil,
		"cut": {
			{down: 40}, {up: 900}, {down: 3000}, {up: 20}, {up: 5000, down: 7000}, {down: 12000}, {up: 15000},
		},
	} {
		for _, secured := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, TLS: %t", name, secured), func(t *testing.T) {
				const episodes, turns, steps = 24, 4, 5
				h := newHost(turns)
				proxy := newCuttingProxy(t, plan)
				t.Cleanup(proxy.close)
				s := listen(t, h, func(o *bridge.Options) {
					o.TLS, o.Advertise = secured, []string{proxy.listener.Addr().String()}
					o.Settings, o.Credits = map[string]any{"reward_keys": []string{"score"}}, 10
				})
				proxy.serve(s.Addr())
				got := runPython(t, python, s.EndpointFile(), episodes, steps)
				want := pythonWorker{Calls: map[string]int{}, Settings: map[string]any{"reward_keys": []any{"score"}}}
				for _, id := range names("e", episodes) {
					want.Rewards = append(want.Rewards, turns)
					for turn := range turns {
						want.Calls[fmt.Sprintf("%s/c%d", id, turn)] = 1
					}
				}
				for step := range steps {
					want.Answers = append(want.Answers, fmt.Sprintf("after %d events", 2*step+2))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				if len(h.runs) != episodes || len(h.joined) != 1 {
					t.Errorf("%d episodes were run for %d workers, want %d for one", len(h.runs), len(h.joined), episodes)
				}
				if proxy.made() != len(plan) {
					t.Errorf("%d connections were cut, want %d", proxy.made(), len(plan))
				}
				eventually(t, "the session has ended with the worker", func() bool { return len(s.Workers()) == 0 })
			})
		}
	}
}

// After a restart of the adapter, workers must find it again and repeat their open requests.
func TestPython_AsksAgainAfterARestart(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no python3 for the worker's side in Python")
	}
	const episodes, turns, steps = 8, 3, 2
	dir := t.TempDir()
	before := stuckHandler{blockedHandler{newHost(0), make(chan string, episodes)}}
	first := listen(t, before.host, func(o *bridge.Options) { o.Dir, o.Handler = dir, before })
	h := newHost(turns)
	restarted := make(chan struct{})
	go func() {
		defer close(restarted)
		for range episodes {
			<-before.opened
		}
		closeServer(t, first)
		listen(t, h, func(o *bridge.Options) { o.Dir, o.Epoch = dir, 2 })
	}()
	got := runPython(t, python, first.EndpointFile(), episodes, steps)
	<-restarted
	if len(got.Rewards) != episodes || len(got.Calls) != episodes*turns {
		t.Errorf("got %d results and %d calls, want %d and %d", len(got.Rewards), len(got.Calls), episodes, episodes*turns)
	}
	if diff := cmp.Diff([]string{"after 2 events", "after 4 events"}, got.Answers); diff != "" {
		t.Error(diff)
	}
}

func runPython(t *testing.T, python, endpoint string, episodes, steps int) (out pythonWorker) {
	t.Helper()
	library, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(within(t), python, filepath.Join("testdata", "python", "worker.py"), endpoint,
		fmt.Sprint(episodes), fmt.Sprint(steps))
	cmd.Env = append(os.Environ(), "PYTHONPATH="+library, "PYTHONDONTWRITEBYTECODE=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("the worker in Python: %v\n%s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}
