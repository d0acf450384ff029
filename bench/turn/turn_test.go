package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/turn/policy"
	"github.com/awhost/awhost/internal/processes"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) {
	if awhost.IsPlugin(os.Args) {
		sdk.Serve(policy.Plugin())
	}
	os.Exit(m.Run())
}

// tiny is a minimal scenario. Its steps are long enough to sample the processes between them.
var tiny = scenario{concurrency: 4, episodes: 2 * tinyStep, turns: 3, step: tinyStep}

const tinyStep = 160

func tinyOptions(t *testing.T) options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return options{turns: 3, step: tinyStep, self: self}
}

func TestMeasureApply_CountsEveryTurnOfARealRun(t *testing.T) {
	testlevel.NeedSlow(t, "it builds awhost and plays 800 episodes")
	if len(processes.List()) == 0 {
		t.Skip("SKIPPED: this machine has no /proc: processes are not measured here")
	}
	o := tinyOptions(t)
	var err error
	if o.awhost, err = awhost.Build(t.Context(), t.TempDir(), ""); err != nil {
		t.Fatal(err)
	}
	out, err := measureApply(t.Context(), o, t.TempDir(), tiny)
	if err != nil {
		t.Fatal(err)
	}
	if out.Episodes != tiny.episodes || out.Turns != 3*tiny.episodes {
		t.Errorf("got %d episodes with %d turns, want %d with 3 each", out.Episodes, out.Turns, tiny.episodes)
	}
	last := out.Memory[len(out.Memory)-1]
	if want := tiny.episodes + warmSteps*tinyStep; last.Episodes != want {
		t.Errorf("the last reading is after %d episodes, want %d", last.Episodes, want)
	}
	for _, name := range []string{hostName, "adapter.instant.policy", "environment.calculator.desk",
		"reward.calculator.shape"} {
		if _, known := out.CPU[name]; !known || last.RSS[name] < 1 {
			t.Errorf("%s was not seen: %v", name, last.RSS)
		}
	}
}

func TestRunAlone_PlaysTheSameEpisodes(t *testing.T) {
	for name, wire := range map[string]bool{"functions": false, "protocol": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := tiny.write(tinyOptions(t), dir, false); err != nil {
				t.Fatal(err)
			}
			out, err := runAlone(t.Context(), dir, tiny.lastStep(), wire)
			if err != nil {
				t.Fatal(err)
			}
			if out.Episodes != tiny.episodes || out.Turns != 3*tiny.episodes {
				t.Errorf("got %d episodes with %d turns, want %d with 3 each", out.Episodes, out.Turns, tiny.episodes)
			}
		})
	}
}

func TestScenario_WritesThePluginForARealRunOnly(t *testing.T) {
	for _, real := range []bool{true, false} {
		dir := t.TempDir()
		if err := tiny.write(tinyOptions(t), dir, real); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "instant")); (err == nil) != real {
			t.Errorf("real %t: %v", real, err)
		}
	}
}

func TestWatch_KeepsTheLastReadingOfAProcess(t *testing.T) {
	if len(processes.List()) == 0 {
		t.Skip("SKIPPED: this machine has no /proc: processes are not measured here")
	}
	cmd := exec.CommandContext(t.Context(), "cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := newWatch(cmd.Process.Pid, 4)
	w.look(1, 10, 20, time.Unix(1000, 0))
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	w.look(2, 10, 20, time.Unix(1001, 0))
	if first, last := w.readings[0].RSS[hostName], w.readings[1].RSS[hostName]; first == 0 || last != first {
		t.Errorf("%v MB while it ran, %v MB after its end", first, last)
	}
}

func TestWatch_LeavesTheWarmUpOut(t *testing.T) {
	w := newWatch(-1, 4) // no process
	start := time.Unix(1000, 0)
	for step := 1; step <= 5; step++ {
		w.look(step, 10, 20, start.Add(time.Duration(step)*time.Second))
	}
	got := w.measured()
	if got.Episodes != 20 || got.Turns != 40 || got.WallSeconds != 2 || len(got.Memory) != 4 {
		t.Errorf("got %+v, want steps 3 and 4 of 5", got)
	}
}

func TestTrend_FindsTheSlopeOfTheSecondHalf(t *testing.T) {
	var grows, breathes []reading
	for i := range 40 {
		mb := 50.0
		if i >= 20 {
			mb += 3 * float64(i-20) * 0.1
		}
		grows = append(grows, reading{Episodes: i * 1000, RSS: usage{"host": mb}})
		breathes = append(breathes, reading{Episodes: i * 1000, RSS: usage{"host": 50 + float64(i%2)}})
	}
	if got := trendOf(grows, "host"); math.Abs(got.slope-3) > 1e-9 || got.err > 1e-9 {
		t.Errorf("got %+v, want 3 MB in 10,000 episodes exactly", got)
	}
	if got := trendOf(breathes, "host"); math.Abs(got.slope) > 2*got.err {
		t.Errorf("got %+v, want a slope within its error", got)
	}
	if got := trendOf(grows[:2], "host"); !math.IsInf(got.err, 1) {
		t.Errorf("two readings give %+v, want no certainty", got)
	}
}

func TestReport_HoldsFiguresAgainstTargets(t *testing.T) {
	run := func(cpu float64) *measured {
		return &measured{Episodes: 500, Turns: 1000, WallSeconds: 2, CPU: usage{"host": cpu, "reward.calculator.shape": 0.1}}
	}
	memory := run(1)
	for i := range 20 {
		memory.Memory = append(memory.Memory, reading{Episodes: i * 1000,
			RSS: usage{"host": 50 + float64(i), "reward.calculator.shape": 30}})
	}
	r := &report{
		Machine: machine.Describe(), Turns: 2, Memory: memory,
		Rows: []*row{{Concurrency: 10, Apply: run(0.2), Called: run(0.1)}, {Concurrency: 1000, Apply: run(0.6)}},
	}
	var out bytes.Buffer
	r.printHead(&out)
	for _, row := range r.Rows {
		r.printRow(&out, row)
	}
	r.printMemory(&out)
	r.printSummary(&out)
	for _, want := range []string{
		"MISS  0.700 ms of CPU a turn", "MISS  within ±40 % from 10 to 1000", "MISS  host grows by +10.00 ± 0.00 MB",
		"met   reward.calculator.shape grows by +0.00",
		"0.300", "19000",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	var back report
	text, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if diff := cmp.Diff(r, &back, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("the JSON form loses something: %v\n%s", err, diff)
	}
}
