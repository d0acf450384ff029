package debug_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// player runs episodes of two calls and records them.
type player struct {
	debugger *debug.Debugger
	played   []string
}

func (*player) Loaded() eval.Loaded { return eval.Loaded{Name: "nobody"} }
func (*player) Seed() int64         { return 5 }

func (p *player) Play(ctx context.Context, play eval.Play) (*rollout.EpisodeRecord, error) {
	again := ""
	if play.Origin != nil {
		again = fmt.Sprintf(" of step %d", play.Origin.Step)
	}
	p.played = append(p.played, fmt.Sprintf("task %d seed %d%s", play.Task, play.Seed, again))
	question := sdk.Message{Role: sdk.RoleUser, Content: "1+2="}
	for _, c := range []eval.Call{
		{Call: eval.CallOpen, Messages: []sdk.Message{question}},
		{Call: eval.CallGenerate, Received: []sdk.Message{{Role: sdk.RoleSystem, Content: "be brief"}, question},
			Tools: []sdk.Tool{{Name: "add"}}},
	} {
		if err := p.debugger.Called(ctx, c); err != nil {
			return nil, err
		}
	}
	return &rollout.EpisodeRecord{Outcome: sdk.OutcomeScored}, nil
}

// view records its calls; answers are the commands at the stops.
type view struct {
	shown   []string
	answers []debug.Command
	stops   int
}

func (v *view) Began(e debug.Episode) { v.shown = append(v.shown, "began "+e.Task) }
func (v *view) Ended(debug.End)       { v.shown = append(v.shown, "ended") }
func (v *view) Called(c debug.Call) {
	var news []string
	for _, m := range c.New {
		news = append(news, m.Content)
	}
	v.shown = append(v.shown, fmt.Sprintf("%s turn %d, new %q, %d tools", c.Call.Call, c.Turn, news, len(c.NewTools)))
}

func (v *view) Stop(context.Context, bool) (debug.Command, error) {
	if v.stops == len(v.answers) {
		return debug.Quit, errors.New("no answer")
	}
	v.stops++
	return v.answers[v.stops-1], nil
}

var two = []debug.Choice{{ID: "a", Index: 0}, {ID: "b", Index: 1}}

func TestRun_DoesWhatIsWantedAtEachStop(t *testing.T) {
	step, free, again, other, skip, quit := debug.Step, debug.Continue, debug.Again, debug.Another, debug.Skip, debug.Quit
	for _, row := range []struct {
		name    string
		answers []debug.Command
		played  string
	}{
		{"steps", []debug.Command{step, step, step, step, step, step}, "task 0 seed 5, task 1 seed 5"},
		{"to the end of the episode, each time again", []debug.Command{free, step, step, step, step},
			"task 0 seed 5, task 1 seed 5"},
		{"again, and with another seed, which the next task has not", []debug.Command{free, again, free, other, free,
			other, free, step, free, quit},
			"task 0 seed 5, task 0 seed 5, task 0 seed 6, task 0 seed 7, task 1 seed 5"},
		{"out of the middle", []debug.Command{other, step, skip, quit}, "task 0 seed 5, task 0 seed 6, task 1 seed 5"},
	} {
		v := &view{answers: row.answers}
		p := &player{debugger: debug.New(v, v)}
		if err := p.debugger.Run(t.Context(), p, two); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		if got := strings.Join(p.played, ", "); got != row.played {
			t.Errorf("%s: played %s, want %s", row.name, got, row.played)
		}
		if v.stops != len(row.answers) {
			t.Errorf("%s: %d stops, want %d", row.name, v.stops, len(row.answers))
		}
	}
}

func TestRun_PlaysWithTheSeedsOfTheEpisodeThatFailed(t *testing.T) {
	v := &view{answers: []debug.Command{debug.Continue, debug.Another, debug.Continue, debug.Step}}
	p := &player{debugger: debug.New(v, v)}
	failed := debug.Choice{ID: "a", Index: 0, Origin: &rollout.Origin{Split: sdk.SplitTrain, Step: 7}}
	if err := p.debugger.Run(t.Context(), p, []debug.Choice{failed}); err != nil {
		t.Fatal(err)
	}
	const want = "task 0 seed 5 of step 7, task 0 seed 6 of step 7"
	if got := strings.Join(p.played, ", "); got != want {
		t.Errorf("played %s, want %s", got, want)
	}
}

func TestRun_ShowsEachMessageOnce(t *testing.T) {
	v := &view{}
	p := &player{debugger: debug.New(v, nil)}
	if err := p.debugger.Run(t.Context(), p, two[:1]); err != nil {
		t.Fatal(err)
	}
	want := []string{"began a", "open turn 0, new [], 0 tools", `generate turn 1, new ["be brief"], 1 tools`, "ended"}
	if diff := cmp.Diff(want, v.shown); diff != "" {
		t.Error(diff)
	}
}

func TestRun_EndsWithTheErrorOfAStop(t *testing.T) {
	v := &view{}
	p := &player{debugger: debug.New(v, v)}
	if err := p.debugger.Run(t.Context(), p, two); err == nil || err.Error() != "no answer" {
		t.Errorf("the error is %v", err)
	}
}

// lineConsole returns lines, and then io.EOF.
type lineConsole struct{ lines []string }

func (t *lineConsole) ReadLine(string, func(string) string) (string, error) {
	if len(t.lines) == 0 {
		return "", io.EOF
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	return line, nil
}

func TestBridge_IsTheTerminalOfADebugger(t *testing.T) {
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "pdb.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	heard := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		said := ""
		for _, words := range []string{"> exact.py(2)score()\n-> return worth\n(Pdb) ", "1.0\n(Pdb) "} {
			_, _ = io.WriteString(conn, words)
			buffer := make([]byte, 100)
			n, _ := conn.Read(buffer)
			said += string(buffer[:n])
		}
		heard <- said
	}()
	var shown []string
	err = debug.Bridge(t.Context(), listener.Addr().String(), &lineConsole{lines: []string{"p worth"}},
		func(line string) { shown = append(shown, line) })
	if err != nil {
		t.Fatal(err)
	}
	if said := <-heard; said != "p worth\ncontinue\n" {
		t.Errorf("the debugger received %q, want continue when the user leaves", said)
	}
	if diff := cmp.Diff([]string{"> exact.py(2)score()", "-> return worth", "1.0"}, shown); diff != "" {
		t.Error(diff)
	}
}
