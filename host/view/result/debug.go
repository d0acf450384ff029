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

// DebugTask is the start of a `debug` episode.
type DebugTask struct {
	Type string `json:"type"`
	debug.Episode

	source *export.Source // of the checkpoint; nil: the model is not a checkpoint
}

// DebugTaskOf returns the start of an episode with a checkpoint, or with another model if source is nil.
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

// DebugCall is a finished call in a `debug` episode.
type DebugCall struct {
	Type string `json:"type"`
	debug.Call
}

// DebugCallOf returns the result of a finished call.
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

// what describes the call in words.
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

// showScore prints a score along with its components and metrics.
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

// duration formats a duration for people.
func duration(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.0f ms", seconds*1000)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// tokens formats token counts for use after a duration, or returns "" if none were counted.
func tokens(prompt, output int) string {
	if prompt+output == 0 {
		return ""
	}
	return fmt.Sprintf(", %d + %d tokens", prompt, output)
}

// DebugEnd is the end of a `debug` episode.
type DebugEnd struct {
	Type string `json:"type"`
	debug.End
}

// DebugEndOf returns the result for the end of an episode.
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
	said.Components = nil // already shown by the calls of the rewards
	out.Pairs(Asked{Episode: said, Judged: true}.verdict()...)
}

// Debugger is a debugger that is waiting for a client.
type Debugger struct {
	Type string `json:"type"`
	debug.Listening
}

// DebuggerOf returns the result for a debugger that is listening.
func DebuggerOf(l debug.Listening) Debugger { return Debugger{Type: "debugger", Listening: l} }

// Text implements Result.
func (d Debugger) Text(out *text.Printer) {
	waits := ""
	if d.Waits {
		waits = ", and continues once a user is connected"
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

// Launch is the result of `debug --vscode`.
type Launch struct {
	Type  string   `json:"type"`
	File  string   `json:"file"`
	Added []string `json:"added"` // names of new entries
	Kept  []string `json:"kept"`  // names of existing entries, which are unchanged
	Run   string   `json:"run"`   // the command whose debuggers the entries attach to
}

// LaunchOf returns the result for a file that has been written.
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
