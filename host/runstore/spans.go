package runstore

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// Spans record when each part of an episode's time began and how long it took, in order of start times. The lists have
// the same length as Part, except that trailing elements that are 0 or empty are omitted. For each part, the sum of its
// spans equals that part in Timings, except for the host's part.
type Spans struct {
	Part  string  `json:"part"`     // a letter per span: the first letter of its name in TimeParts
	After []int64 `json:"after_us"` // from the end of the previous span; negative if it began before that
	Took  []int64 `json:"us"`
	Turn  []int   `json:"turn,omitempty"` // of the message, or of the message that a step answers, from 1; 0: none
	// Name is the name of the tools, the environment call, the reward or, in a swarm, the member.
	Name    []string `json:"name,omitempty"`
	Attempt []int    `json:"attempt,omitempty"` // number of an attempt that was given up; 0: the last one
	Count   []int    `json:"count,omitempty"`   // number of spans combined in this one; 0: a single span
}

// Span is one element of Spans.
type Span struct {
	Part     int // index in TimeParts
	At, Took time.Duration
	Turn     int
	Name     string
	Attempt  int
	Count    int
}

// mostSpans is the maximum number of spans that are recorded for an episode.
const mostSpans = 64

// PackSpans returns the record of spans, or nil without spans. The longest are kept. The remaining spans are combined
// by part, at the position of the first of them.
func PackSpans(spans []Span) *Spans {
	if len(spans) == 0 {
		return nil
	}
	spans = slices.Clone(spans)
	if len(spans) > mostSpans {
		spans = summed(spans)
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.At, b.At) })
	out, part, end := &Spans{}, make([]byte, 0, len(spans)), int64(0)
	for _, s := range spans {
		at, took := max(0, micros(s.At)), max(0, micros(s.Took)) // clocks may be set back
		part = append(part, TimeParts()[s.Part][0])
		out.After, out.Took, end = append(out.After, at-end), append(out.Took, took), at+took
		out.Turn, out.Name = append(out.Turn, s.Turn), append(out.Name, s.Name)
		out.Attempt, out.Count = append(out.Attempt, s.Attempt), append(out.Count, s.Count)
	}
	out.Part = string(part)
	out.Turn, out.Name, out.Attempt, out.Count = cut(out.Turn), cut(out.Name), cut(out.Attempt), cut(out.Count)
	return out
}

func summed(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(b.Took, a.Took) })
	const kept = mostSpans - timeParts
	out, rest := spans[:kept:kept], map[int]*Span{}
	for _, s := range spans[kept:] {
		sum := rest[s.Part]
		if sum == nil {
			sum = &Span{Part: s.Part, At: s.At}
			rest[s.Part] = sum
		}
		sum.At, sum.Took, sum.Count = min(sum.At, s.At), sum.Took+s.Took, sum.Count+1
	}
	for part := range timeParts {
		if sum := rest[part]; sum != nil {
			out = append(out, *sum)
		}
	}
	return out
}

func micros(d time.Duration) int64 { return d.Round(time.Microsecond).Microseconds() }

// cut removes zero values from the end of a list.
func cut[T comparable](list []T) []T {
	var zero T
	n := len(list)
	for n > 0 && list[n-1] == zero {
		n--
	}
	return list[:n]
}

// Unpack returns the spans, or none if the lists are inconsistent.
func (s *Spans) Unpack() []Span {
	if s == nil || len(s.After) != len(s.Part) || len(s.Took) != len(s.Part) {
		return nil
	}
	var letters [timeParts]byte
	for i, name := range TimeParts() {
		letters[i] = name[0]
	}
	out, end := make([]Span, len(s.Part)), int64(0)
	for i := range out {
		at := end + s.After[i]
		end = at + s.Took[i]
		out[i] = Span{
			Part: bytes.IndexByte(letters[:], s.Part[i]), At: time.Duration(at) * time.Microsecond,
			Took: time.Duration(s.Took[i]) * time.Microsecond,
			Turn: of(s.Turn, i), Name: of(s.Name, i), Attempt: of(s.Attempt, i), Count: of(s.Count, i),
		}
		if out[i].Part < 0 || at < 0 || s.Took[i] < 0 {
			return nil
		}
	}
	return out
}

// of returns the i-th value in a list, or zero if the list is shorter.
func of[T any](list []T, i int) (value T) {
	if i < len(list) {
		value = list[i]
	}
	return value
}
