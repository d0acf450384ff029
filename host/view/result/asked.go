package result

import (
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// Asked is the result of one `ask` episode.
type Asked struct {
	Type string `json:"type"`
	eval.Episode
	Model  string `json:"model"`
	Run    string `json:"run,omitempty"`
	Step   *int   `json:"step,omitempty" jsonschema:"minimum=0"`
	Judged bool   `json:"judged"` // false: without a ground truth nothing was scored

	source *export.Source // of the checkpoint; nil: the model is not a checkpoint
}

// AskedOf returns the result of a question to a checkpoint, or to another model if source is nil.
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
	t := transcript{members: a.Members}
	rest := a.Messages
	for _, p := range a.Parts { // parts are consecutive
		n := min(max(p.Len, 0), len(rest))
		t.parts = append(t.parts, part{p.Member, max(p.Depth, 0), rest[:n]})
		rest = rest[n:]
	}
	if len(rest) > 0 {
		t.parts = append(t.parts, part{messages: rest})
	}
	t.show(out)
	out.Blank()
	if a.Failure != nil {
		out.Line(out.Styles.Bad("failed: ") + text.Clean(string(a.Failure.Class)+": "+a.Failure.Detail))
	}
	out.Pairs(a.verdict()...)
}

// verdict returns the episode's answer and scores.
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
		pairs = append(pairs, text.Pair{Key: "reward", Value: withSuccess(*a.Reward, a.Success)})
	}
	for _, name := range slices.Sorted(maps.Keys(a.Components)) {
		key := "  " + strings.TrimPrefix(name, "reward.")
		pairs = append(pairs, text.Pair{Key: key, Value: text.Number(a.Components[name])})
	}
	pairs = append(pairs, noted(a.Notes)...)
	for _, f := range a.Madness {
		pairs = append(pairs, finding(runstore.MadnessRecord{
			CallID: f.CallID, Agent: f.Agent, Turn: f.Turn, Check: string(f.Check), Reason: string(f.Reason),
			Part: string(f.Part), ToolCall: f.Call, Offset: f.Offset, Near: f.Near,
		}))
	}
	return pairs
}
