package record

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
)

// spansOf returns an episode's spans in the format used in the run directory.
func spansOf(e *rollout.EpisodeRecord) *runstore.Spans {
	turns := make(map[string]int, len(e.Turns))
	for i := range e.Turns {
		turns[e.Turns[i].CallID] = i + 1
	}
	swarm := len(e.Members()) > 0
	spans := make([]runstore.Span, 0, len(e.Spans))
	for i := range e.Spans {
		s := &e.Spans[i]
		span := runstore.Span{
			Part: partOf(s.Part), At: s.At.Sub(e.Began), Took: s.Took, Turn: turns[s.CallID], Name: s.Name,
		}
		switch {
		case s.Part == rollout.PartModel && !swarm:
			span.Name = ""
		case s.Part == rollout.PartReward:
			span.Name = strings.TrimPrefix(s.Name, "reward.")
		}
		if s.Attempt != e.AttemptRecord.Attempt {
			span.Attempt = s.Attempt
		}
		spans = append(spans, span)
	}
	return runstore.PackSpans(spans)
}

// partOf returns the index of a part among the recorded parts.
func partOf(part rollout.Part) int {
	name := string(part)
	if part == rollout.PartEnvironment {
		name = "tool"
	}
	parts := runstore.TimeParts()
	return slices.Index(parts[:], name)
}
