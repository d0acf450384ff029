package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/host/view/text"
)

// Episode is one of a run's episodes, as printed by `show --episodes` and `show --episode`. Its members are the members
// of the journal's records, which docs/reference/run-directory.md documents.
type Episode struct {
	Type     string            `json:"type"`
	Standing runstore.Standing `json:"standing" jsonschema:"enum=COUNTED,enum=SUPERSEDED,enum=OPEN,enum=UNUSED"`
	runstore.EpisodeRecord

	calls []runstore.CallRecord
}

// EpisodeOf returns the result for one of a run's episodes. calls holds its program's calls, if any. Only the text
// output uses them.
func EpisodeOf(e runstore.Episode, calls ...runstore.CallRecord) Episode {
	return Episode{"episode", e.Standing, e.EpisodeRecord, calls}
}

// Text implements Result.
func (e Episode) Text(out *text.Printer) {
	sample := fmt.Sprintf("step %d, group %s, sample %d", e.Slot.Step, e.Slot.Group, e.Slot.Sample)
	pairs := []text.Pair{
		{Key: "episode", Value: text.Clean(e.EpisodeID)},
		{Key: "task", Value: text.Clean(e.TaskID)},
		{Key: string(e.Slot.Split), Value: text.Clean(e.Slot.Stage + ", " + sample)},
		{Key: "outcome", Value: strings.ToLower(string(e.Outcome)) + ", " + strings.ToLower(string(e.Standing))},
	}
	out.Pairs(pairs...)
	out.Blank()
	e.transcript().show(out)
	showUnsampledSteps(out, e.UnsampledSteps)
	out.Blank()
	if e.Limit != nil {
		out.Line(out.Styles.Warn("truncated: ") + text.Clean(LimitWords(*e.Limit)))
	}
	if e.Failure != nil {
		out.Line(out.Styles.Bad("failed: ") + text.Clean(string(e.Failure.Class)+": "+e.Failure.Detail))
	}
	out.Pairs(e.verdict()...)
	showCalls(out, PolicyCallsOf(e.calls, e.Chains))
	spans, _ := SpansOf(&e.EpisodeRecord)
	showSpans(out, spans)
}

func (e Episode) transcript() transcript {
	var t transcript
	for _, p := range e.Transcripts {
		t.parts = append(t.parts, part{p.Agent, max(p.Depth, 0), p.Messages})
	}
	for _, m := range e.Members {
		t.members = append(t.members, eval.Member{
			Agent: m.Agent, Turns: m.Turns, PromptTokens: m.PromptTokens, OutputTokens: m.OutputTokens,
			Seconds: m.ModelMillis / 1000, Model: m.Model, CostUSD: m.CostUSD,
		})
	}
	return t
}

// verdict returns the answer and the scores of the episode.
func (e Episode) verdict() []text.Pair {
	pairs := []text.Pair{{Key: "answer", Value: text.Clean(e.FinalAnswer)}}
	if e.Reward == nil {
		pairs = append(pairs, text.Pair{Key: "reward", Value: "none"})
	} else {
		pairs = append(pairs, text.Pair{Key: "reward", Value: withSuccess(*e.Reward, e.IsSuccess)})
	}
	for _, name := range slices.Sorted(maps.Keys(e.Components)) {
		key := "  " + strings.TrimPrefix(name, "reward.")
		pairs = append(pairs, text.Pair{Key: key, Value: text.Number(float64(e.Components[name]))})
	}
	pairs = append(pairs, noted(e.Notes)...)
	for _, own := range e.SelfReports {
		value := "none"
		if own.Reward != nil {
			value = text.Number(*own.Reward)
		}
		if own.IsSuccess != nil {
			value += solved(*own.IsSuccess)
		}
		pairs = append(pairs, text.Pair{Key: "  " + text.Clean("agent."+own.Agent), Value: value})
	}
	return append(pairs, e.findings()...)
}

// findings returns the messages that failed their agents' checks, and those in which rules of a scan hold.
func (e Episode) findings() (out []text.Pair) {
	for _, f := range e.Madness {
		out = append(out, finding(f))
	}
	for _, hit := range e.Scan {
		out = append(out, text.Pair{Key: "scan", Value: text.Clean(hitWords(hit))})
	}
	return out
}

// hitWords describes a hit. Messages are counted from 0, as in JSON.
func hitWords(hit scan.Hit) string {
	words := fmt.Sprintf("%s in message %d", hit.Rule, hit.Message)
	if hit.Quote != "" {
		words += fmt.Sprintf(": %q", hit.Quote)
	}
	return words
}

func finding(f runstore.MadnessRecord) text.Pair {
	value := fmt.Sprintf("%s in turn %d, of %s: %s at byte %d of its %s",
		f.Check, f.Turn, f.Agent, f.Reason, f.Offset, f.Part)
	if f.Near != "" {
		value += fmt.Sprintf(", %q", f.Near)
	}
	return text.Pair{Key: "madness", Value: text.Clean(value)}
}

// noted returns the rewards' notes.
func noted(notes map[string]string) (out []text.Pair) {
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		key := "  " + text.Clean(strings.TrimPrefix(name, "reward."))
		out = append(out, text.Pair{Key: key, Value: text.Clean(notes[name])})
	}
	return out
}

// withSuccess formats a reward and whether it is a success.
func withSuccess(reward float64, success *bool) string {
	if success == nil {
		return text.Number(reward)
	}
	return text.Number(reward) + solved(*success)
}

func solved(success bool) string {
	return map[bool]string{true: ", solved", false: ", not solved"}[success]
}
