package llmjudgereward

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

func TestABudgetOfCallsStopsTheRun(t *testing.T) {
	f, folder := grading(t, 10), t.TempDir()
	r := judge(t, f, folder, map[string]any{"max_calls": 2})
	for _, answer := range []string{"1", "2", "1"} { // the third is answered from memory
		number(t, score(t, r, answering(answer)).Items[0])
	}
	got := score(t, r, answering("3")).Items[0].Failure
	if got == nil || !got.StopRun || got.Class != sdk.FailureReward ||
		!strings.Contains(got.Detail, "increase max_calls and resume") {
		t.Fatalf("a spent budget comes to %+v", got)
	}
	again := judge(t, f, folder, map[string]any{"max_calls": 3}) // as after a resume
	for _, answer := range []string{"1", "2", "3"} {
		number(t, score(t, again, answering(answer)).Items[0])
	}
	if f.calls() != 3 {
		t.Errorf("three verdicts took %d calls", f.calls())
	}
	if got := score(t, again, answering("4")).Items[0].Failure; got == nil || !got.StopRun {
		t.Errorf("a budget that was spent in two lives comes to %+v", got)
	}
}

// TestABudgetOfMoney checks max_cost: a verdict costs $0.01, and at most $0.10. Calls are made as long as that is
// left. Pending calls reserve their maximum.
func TestABudgetOfMoney(t *testing.T) {
	f := grading(t, 10)
	r := judge(t, f, t.TempDir(), map[string]any{
		"max_cost": 0.255, "input_price": 0, "output_price": 1000, "max_tokens": 100,
	})
	var items []sdk.ScoreItem
	for n := range 20 {
		items = append(items, answering(fmt.Sprint(n)))
	}
	out := score(t, r, items...)
	scored := 0
	for _, item := range out.Items {
		switch {
		case item.Failure == nil:
			scored++
		case !item.Failure.StopRun || !strings.Contains(item.Failure.Detail, "of $0.2550 (max_cost) are spent"):
			t.Errorf("a spent budget comes to %+v", item.Failure)
		}
	}
	if scored != 16 || f.calls() != 16 { // 15 x $0.01 and $0.10 more fit into $0.255
		t.Errorf("%d verdicts and %d calls, want 16", scored, f.calls())
	}
}

// TestWhatWasNotServedIsNotPaidFor checks that unserved calls are free, and that a lost answer costs the maximum.
func TestWhatWasNotServedIsNotPaidFor(t *testing.T) {
	f := serve(t, func(n int, _ *asked, w http.ResponseWriter, _ *http.Request) {
		if n <= 2 {
			refuse(w, 429, "", "slow down")
			return
		}
		fmt.Fprint(w, `{"choices":[`)
	})
	r := judge(t, f, t.TempDir(), map[string]any{
		"max_retries": 0, "tries": 1, "max_cost": 5, "input_price": 0, "output_price": 1000, "max_tokens": 100,
	})
	for range 3 {
		if got := score(t, r, answering("1")).Items[0]; got.Failure == nil || !got.Failure.Retryable {
			t.Errorf("it comes to %+v", got)
		}
	}
	if r.budget.calls != 1 || r.budget.cost < 0.0999 || r.budget.cost > 0.1001 {
		t.Errorf("%d calls at $%v are on the books, want 1 at $0.1", r.budget.calls, r.budget.cost)
	}
}

// A stored verdict that was changed afterwards is not used but requested again.
func TestAChangedVerdictIsAskedForAgain(t *testing.T) {
	f, folder := grading(t, 3, 3, 3), t.TempDir()
	r := judge(t, f, folder, nil)
	for _, answer := range []string{"1", "2"} {
		number(t, score(t, r, answering(answer)).Items[0])
	}
	path := filepath.Join(folder, "verdicts.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`:3}`), []byte(`:9}`), 1)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again := judge(t, f, folder, nil)
	for _, answer := range []string{"1", "2"} {
		if got := number(t, score(t, again, answering(answer)).Items[0]); got != 0.3 {
			t.Errorf("the answer %s scores %v, want 0.3", answer, got)
		}
	}
	if f.calls() != 3 {
		t.Errorf("%d calls were made, want 3", f.calls())
	}
}

// TestWhatIsPaidForIsKept checks that a verdict is stored even if the caller has left during the call.
func TestWhatIsPaidForIsKept(t *testing.T) {
	reached, leave := make(chan struct{}), make(chan struct{})
	f := serve(t, func(_ int, a *asked, w http.ResponseWriter, _ *http.Request) {
		close(reached)
		<-leave
		say(w, a.verdictOf(10, "correct"))
	})
	folder := t.TempDir()
	r := judge(t, f, folder, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := r.Score(ctx, sdk.ScoreRequest{Items: []sdk.ScoreItem{answering("42")}})
		ended <- err
	}()
	<-reached
	cancel()
	go close(leave)
	if err := r.Stop(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
	number(t, score(t, judge(t, f, folder, nil), answering("42")).Items[0])
	if f.calls() != 1 {
		t.Errorf("it was paid for %d times", f.calls())
	}
}

// TestMemoryHoldsWhatDecides checks that every setting that affects a verdict changes its key.
func TestMemoryHoldsWhatDecides(t *testing.T) {
	f, folder := grading(t, 10), t.TempDir()
	criterion := func(text string) map[string]any { return map[string]any{"correct": map[string]any{"text": text}} }
	for i, more := range []map[string]any{
		{}, {"name": "another"}, {"criterion": criterion("It is wrong.")}, {"temperature": 0.5}, {"form": "text"},
		{"show_ground_truth": true}, {"scale": 20}, {"extra_body": map[string]any{"reasoning_effort": "low"}},
		{"instructions": "Be strict."},
	} {
		for range 2 {
			more["memory"] = filepath.Join(folder, "shared")
			number(t, score(t, judge(t, f, t.TempDir(), more), answering("42")).Items[0])
		}
		if f.calls() != i+1 {
			t.Errorf("%v: %d calls so far, want %d", more, f.calls(), i+1)
		}
	}
	never := judge(t, f, t.TempDir(), map[string]any{"remember": false, "memory": filepath.Join(folder, "shared")})
	before := f.calls()
	score(t, never, answering("42"))
	if f.calls() != before+1 {
		t.Error("remember = false remembers")
	}
}

// TestVerdictsAndCostsOutliveKill9 kills the real process in the middle of a call, and of a line.
func TestVerdictsAndCostsOutliveKill9(t *testing.T) {
	reached, folder := make(chan struct{}), t.TempDir()
	f := serve(t, func(n int, a *asked, w http.ResponseWriter, r *http.Request) {
		if n == 2 {
			close(reached)
			<-r.Context().Done()
			return
		}
		say(w, a.verdictOf(10, "correct"))
	})
	more := map[string]any{"max_calls": 2, "timeout": "60s"}
	first := startPluginProcess(t, f, folder, more)
	number(t, score(t, first.Reward(), answering("1")).Items[0])
	ended := make(chan error)
	go func() {
		_, err := first.Reward().Score(context.Background(), sdk.ScoreRequest{Items: []sdk.ScoreItem{answering("2")}})
		ended <- err
	}()
	<-reached
	killed, err := os.FindProcess(first.PID())
	if err == nil {
		err = killed.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Fatal("a killed process has answered")
	}
	cut, err := os.OpenFile(filepath.Join(folder, "verdicts.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = cut.WriteString(`{"key":"12`)
	}
	if err != nil || cut.Close() != nil {
		t.Fatal(err)
	}
	second := startPluginProcess(t, f, folder, more)
	number(t, score(t, second.Reward(), answering("1")).Items[0])
	if f.calls() != 2 {
		t.Errorf("a verdict from before the kill is asked for again: %d calls", f.calls())
	}
	if got := score(t, second.Reward(), answering("3")).Items[0].Failure; got == nil || !got.StopRun {
		t.Errorf("the call that was under way does not count: %+v", got)
	}
	for range 2 {
		later := startPluginProcess(t, f, folder, map[string]any{"max_calls": 3})
		number(t, score(t, later.Reward(), answering("3")).Items[0])
	}
	if f.calls() != 3 {
		t.Errorf("what is written behind a cut line is lost: %d calls", f.calls())
	}
}

// startPluginProcess starts the plugin in a separate process.
func startPluginProcess(t *testing.T, f *fakeAPI, folder string, more map[string]any) *client.Plugin {
	t.Helper()
	sockets, err := process.NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	p, err := client.Start(t.Context(), client.Config{
		Name: "judge", Run: "test", Command: []string{os.Args[0]}, Env: map[string]string{asPlugin: "1"},
		Authority: authority, SocketDir: sockets,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		_ = process.RemoveSocketDir(sockets)
	})
	problems, err := p.Configure(t.Context(), sdk.ConfigureRequest{
		Kind: sdk.KindReward, Type: "llm_judge", Config: configured(t, f.URL, more), RunID: "test", Incarnation: 1,
		Dir: folder,
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return p
}
