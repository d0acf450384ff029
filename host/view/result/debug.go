package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// DebugTask is an episode of `debug` that begins.
type DebugTask struct {
	Type string `json:"type"`
	debug.Episode

	source *export.Source // of the checkpoint; nil: there is none
}

// DebugTaskOf is the beginning of an episode with a checkpoint, or with a model that is none: source then is nil.
func DebugTaskOf(e debug.Episode, source *export.Source) DebugTask {
	return DebugTask{Type: "debug_task", Episode: e, source: source}
}

// Text implements Result.
func (d DebugTask) Text(out *text.Printer) {
	out.Heading(fmt.Sprintf("Task %s, %d of %d", d.Task, d.Number, d.Of))
	out.Pairs(
		text.Pair{Key: "policy", Value: text.Clean(policy(d.source, d.Model))},
		text.Pair{Key: "seed", Value: fmt.Sprint(d.Seed)},
		text.Pair{Key: "chosen", Value: text.Clean(d.Why)},
	)
}

// DebugCall is a call of an episode of `debug`, once it is over.
type DebugCall struct {
	Type string `json:"type"`
	debug.Call
}

// DebugCallOf is a call that is over.
func DebugCallOf(c debug.Call) DebugCall { return DebugCall{Type: "debug_call", Call: c} }

// Text implements Result.
func (d DebugCall) Text(out *text.Printer) {
	out.Blank()
	head := d.what()
	details := strings.Join(append([]string{duration(d.Seconds) + tokens(d.PromptTokens, d.OutputTokens)},
		d.details()...), ", ")
	out.Line(out.Styles.Title(text.Clean(head)) + "  " + out.Styles.Dim(text.Clean(details)))
	if len(d.NewTools) > 0 {
		d.showTools(out)
	}
	for _, m := range slices.Concat(d.New, d.Messages) {
		showMessage(out, m, "  ")
	}
	if d.Error != "" {
		for _, line := range text.CleanLines(d.Error) {
			out.Quote("  " + out.Styles.Bad(line))
		}
	}
	if d.Failure != nil {
		out.Line("  " + out.Styles.Bad("failed: ") + text.Clean(string(d.Failure.Class)+": "+d.Failure.Detail))
	}
	d.showScore(out)
}

// what is the call in words.
func (d DebugCall) what() string {
	switch d.Call.Call.Call {
	case eval.CallGenerate:
		return fmt.Sprintf("turn %d: %s asks %s", max(d.Turn, 1), d.Agent, d.Address)
	case eval.CallOpen:
		return d.Address + " opens"
	case eval.CallStep:
		return d.Address + " answers"
	case eval.CallScore:
		return d.Address + " scores"
	}
	return d.Address + " is called"
}

func (d DebugCall) details() []string {
	var out []string
	if d.Finish != "" && d.Finish != sdk.FinishStop && d.Finish != sdk.FinishToolCalls {
		out = append(out, "ended by "+string(d.Finish))
	}
	if d.TurnReward != nil {
		out = append(out, "reward "+text.Number(*d.TurnReward))
	}
	switch {
	case d.Truncated:
		out = append(out, "truncated")
	case d.Done:
		out = append(out, "done")
	}
	return out
}

func (d DebugCall) showTools(out *text.Printer) {
	var names []string
	for _, tool := range d.NewTools {
		names = append(names, text.Clean(tool.Name))
	}
	width := 0
	if out.Width > 0 {
		width = max(out.Width-roleWidth-2, roleWidth)
	}
	label := "tools"
	for _, line := range text.Wrap(strings.Join(names, ", "), width) {
		out.Quote(out.Styles.Dim("  "+text.Fit(label, roleWidth)) + line)
		label = ""
	}
}

// showScore shows a score with its parts, and metrics.
func (d DebugCall) showScore(out *text.Printer) {
	var pairs []text.Pair
	if d.Score != nil {
		pairs = append(pairs, text.Pair{Key: "score", Value: withSuccess(*d.Score, d.IsSuccess)})
	}
	for _, values := range []map[string]float64{d.Components, d.Metrics} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			pairs = append(pairs, text.Pair{Key: text.Clean(name), Value: text.Number(values[name])})
		}
	}
	out.Pairs(pairs...)
}

// duration is a time as people read it.
func duration(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.0f ms", seconds*1000)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// tokens counts them behind a time; whoever has none counted says nothing.
func tokens(prompt, output int) string {
	if prompt+output == 0 {
		return ""
	}
	return fmt.Sprintf(", %d + %d tokens", prompt, output)
}

// DebugEnd is an episode of `debug` that is over.
type DebugEnd struct {
	Type string `json:"type"`
	debug.End
}

// DebugEndOf is an episode that is over.
func DebugEndOf(e debug.End) DebugEnd { return DebugEnd{Type: "debug_end", End: e} }

// Text implements Result.
func (d DebugEnd) Text(out *text.Printer) {
	out.Blank()
	title := fmt.Sprintf("%s after %s", strings.ToLower(text.Clean(string(d.Outcome))), text.Plural(d.Turns, "turn"))
	details := duration(d.Seconds) + tokens(d.PromptTokens, d.OutputTokens)
	out.Line(out.Styles.Title(text.Clean(title)) + "  " + out.Styles.Dim(details))
	if d.Failure != nil {
		out.Line("  " + out.Styles.Bad("failed: ") + text.Clean(string(d.Failure.Class)+": "+d.Failure.Detail))
	}
	for _, m := range d.Madness {
		out.Line("  " + out.Styles.Warn("madness: ") + text.Clean(string(m.Check)+": "+string(m.Reason)))
	}
	said := d.Episode
	said.Components = nil // the calls of the rewards have shown them
	out.Pairs(Asked{Episode: said, Judged: true}.verdict()...)
}

// Debugger is a debugger that waits for somebody.
type Debugger struct {
	Type string `json:"type"`
	debug.Listening
}

// DebuggerOf is a debugger that listens.
func DebuggerOf(l debug.Listening) Debugger { return Debugger{Type: "debugger", Listening: l} }

// Text implements Result.
func (d Debugger) Text(out *text.Printer) {
	waits := ""
	if d.Waits {
		waits = ", and goes on once somebody is there"
	}
	how := "attach an editor to " + d.Listen
	switch d.Debugger {
	case debug.PDB:
		how, waits = "connect to it, for example with `nc -U "+d.Listen+"`", ""
	case debug.Delve:
		how += ", or `dlv connect " + d.Listen + "`"
	}
	out.Line(out.Styles.Accent(text.Clean(d.Address)) + text.Clean(" is in "+d.Debugger+waits+": "+how))
}

// Launch is what `debug --vscode` has written.
type Launch struct {
	Type  string   `json:"type"`
	File  string   `json:"file"`
	Added []string `json:"added"` // names of entries
	Kept  []string `json:"kept"`  // names of entries that were there before, and stay as they are
	Run   string   `json:"run"`   // the command whose debuggers the entries attach to
}

// LaunchOf is a file that has been written.
func LaunchOf(file string, added, kept []string, run string) Launch {
	out := Launch{Type: "launch", File: file, Run: run}
	out.Added, out.Kept = append([]string{}, added...), append([]string{}, kept...)
	return out
}

// Text implements Result.
func (l Launch) Text(out *text.Printer) {
	for _, name := range l.Added {
		out.Line(text.Clean(l.File + ": added " + name))
	}
	for _, name := range l.Kept {
		out.Line(text.Clean(l.File + ": has " + name + ", which stays as it is"))
	}
	out.Line(text.Clean("run: " + l.Run))
}

var _, _, _, _, _ Result = DebugTask{}, DebugCall{}, DebugEnd{}, Debugger{}, Launch{}
