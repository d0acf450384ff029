package result

import (
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Asked is one episode of `ask`.
type Asked struct {
	Type string `json:"type"`
	eval.Episode
	Model  string `json:"model"`
	Run    string `json:"run,omitempty"`
	Step   *int   `json:"step,omitempty" jsonschema:"minimum=0"`
	Judged bool   `json:"judged"` // false: there was no ground truth, so that nothing was scored

	source *export.Source // of the checkpoint; nil: there is none
}

// AskedOf is the result of a question to a checkpoint, or to a model that is none: source then is nil.
func AskedOf(e eval.Episode, loaded eval.Loaded, source *export.Source, judged bool) Asked {
	a := Asked{Type: "asked", Episode: e, Model: loaded.Name, Judged: judged, source: source}
	if source != nil {
		a.Run, a.Step = source.Run, &loaded.Step
	}
	return a
}

// Text implements Result.
func (a Asked) Text(out *text.Printer) {
	out.Pairs(text.Pair{Key: "policy", Value: policy(a.source, a.Model)})
	out.Blank()
	for _, m := range a.Messages {
		showMessage(out, m)
	}
	out.Blank()
	if a.Failure != nil {
		out.Line(out.Styles.Bad("failed: ") + text.Clean(string(a.Failure.Class)+": "+a.Failure.Detail))
	}
	out.Pairs(a.verdict()...)
}

// verdict returns what came of the episode.
func (a Asked) verdict() []text.Pair {
	pairs := []text.Pair{{Key: "answer", Value: a.Answer}}
	if a.Finish != "" && a.Finish != "done" && a.Finish != "answered" {
		pairs = append(pairs, text.Pair{Key: "ended by", Value: strings.ReplaceAll(a.Finish, "_", " ")})
	}
	switch {
	case !a.Judged:
		pairs = append(pairs, text.Pair{Key: "reward", Value: "not judged: give --ground-truth, or ask by --task"})
	case a.Reward == nil:
		pairs = append(pairs, text.Pair{Key: "reward", Value: "none"})
	default:
		value := text.Number(*a.Reward)
		if a.Success != nil {
			value += map[bool]string{true: ", solved", false: ", not solved"}[*a.Success]
		}
		pairs = append(pairs, text.Pair{Key: "reward", Value: value})
	}
	for _, name := range slices.Sorted(maps.Keys(a.Components)) {
		key := "  " + strings.TrimPrefix(name, "reward.")
		pairs = append(pairs, text.Pair{Key: key, Value: text.Number(a.Components[name])})
	}
	return pairs
}

// roleWidth is the column of the roles.
const roleWidth = len("assistant") + 2

// showMessage shows one entry of the conversation, its calls and reasoning included.
func showMessage(page *text.Printer, m sdk.Message) {
	label := string(m.Role)
	say := func(s string) {
		width := 0
		if page.Width > 0 {
			width = page.Width - roleWidth
		}
		for _, line := range text.CleanLines(s) {
			for _, part := range text.Wrap(line, width) {
				page.Quote(page.Styles.Dim(text.Fit(label, roleWidth)) + part)
				label = ""
			}
		}
	}
	if m.Reasoning != "" {
		say("(thinks) " + m.Reasoning)
	}
	if m.Content != "" {
		say(m.Content)
	}
	for _, c := range m.ToolCalls {
		say("→ " + c.Name + " " + c.Arguments)
	}
	for _, bad := range m.Malformed {
		say("(not a call: " + bad.Reason + ")")
	}
	if label != "" {
		say("(nothing)")
	}
}
