package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

// The terminal and the page of `awhost ui` draw an episode's time from the same data.

// Span is a part of an episode's time.
type Span struct {
	Part    string  `json:"part"` // queue, model, tool, reward, siblings, host
	StartMS float64 `json:"start_ms"`
	MS      float64 `json:"ms"`
	Label   string  `json:"label"`
	Turn    int     `json:"turn,omitempty"` // of the message, or of the message that a step answers, from 1
}

// The kinds of times in an episode.
const (
	timesAreSpans = "spans" // start and duration of each activity
	timesAreSums  = "sums"  // total duration of each kind of activity, drawn one after the other
)

// SpansOf returns where an episode's time was spent, and the kind of these times, because records from earlier versions
// contain only sums. The time between spans is attributed to the host or to an agent's program.
func SpansOf(e *runstore.EpisodeRecord) (spans []Span, are string) {
	known := e.Spans.Unpack()
	if len(known) == 0 {
		return sumsOf(e.Timings), timesAreSums
	}
	gaps := between{least: mostOf(known) / 50}
	for _, s := range known {
		gaps.see(s)
		spans = append(spans, Span{
			Part: runstore.TimeParts()[s.Part], StartMS: millis(s.At), MS: millis(s.Took), Label: labelOf(s), Turn: s.Turn,
		})
	}
	return gaps.into(spans, e.Timings.HostMillis), timesAreSpans
}

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }

// mostOf returns the end time of the last span.
func mostOf(spans []runstore.Span) (end time.Duration) {
	for _, s := range spans {
		end = max(end, s.At+s.Took)
	}
	return end
}

// sumsOf returns the non-zero parts of an episode's time.
func sumsOf(t runstore.Timings) []Span {
	spans := []Span{}
	start, millis := 0.0, t.Millis()
	for i, part := range runstore.TimeParts() {
		if millis[i] > 0 {
			spans = append(spans, Span{Part: part, StartMS: start, MS: millis[i], Label: partWords[part]})
			start += millis[i]
		}
	}
	return spans
}

var partWords = map[string]string{
	"queue": "waits for a slot", "model": "messages of models", "tool": "environment", "reward": "reward",
	"siblings": "waits for its group", "host": "awhost",
}

// labelOf returns the label of a span.
func labelOf(s runstore.Span) string {
	part := runstore.TimeParts()[s.Part]
	label := partWords[part]
	switch {
	case s.Count > 0:
		label = fmt.Sprintf("%s, %d shorter ones in all", label, s.Count)
	case part == "model":
		label = "message"
		if s.Name != "" {
			label += " of " + s.Name
		}
	case s.Name != "" && s.Turn > 0:
		label = s.Name
	case s.Name != "":
		label += ": " + s.Name
	}
	if s.Attempt > 0 {
		label += fmt.Sprintf(" (attempt %d)", s.Attempt)
	}
	return label
}

// between collects the gaps during which no span was active.
type between struct {
	least time.Duration // minimum length of a drawn gap
	end   time.Duration // end of the spans so far
	large []Span
	drawn float64 // total length of large, in milliseconds
	whole bool    // short spans were merged, so that their positions are unknown
}

func (b *between) see(s runstore.Span) {
	if gap := s.At - b.end; gap > b.least {
		b.large = append(b.large, Span{Part: "host", StartMS: millis(b.end), MS: millis(gap), Label: partWords["host"]})
		b.drawn += millis(gap)
	}
	b.end = max(b.end, s.At+s.Took)
	b.whole = b.whole || s.Count > 0
}

// into inserts the host's time: its larger parts at their positions, and the remainder after all spans.
func (b *between) into(spans []Span, host float64) []Span {
	if b.whole || b.drawn > host+1 { // calls overlapped
		b.large, b.drawn = nil, 0
	}
	out := make([]Span, 0, len(spans)+len(b.large)+1)
	for _, s := range spans {
		for len(b.large) > 0 && b.large[0].StartMS < s.StartMS {
			out, b.large = append(out, b.large[0]), b.large[1:]
		}
		out = append(out, s)
	}
	if left := host - b.drawn; left > 0 {
		out = append(out, Span{Part: "host", StartMS: millis(b.end), MS: left, Label: partWords["host"] + ", between these"})
	}
	return out
}

// showSpans draws where an episode's time was spent.
func showSpans(out *text.Printer, spans []Span) {
	total := 0.0
	for _, s := range spans {
		total = max(total, s.StartMS+s.MS)
	}
	if total == 0 {
		return
	}
	const columns = 40
	out.Blank()
	out.Line(out.Styles.Title(fmt.Sprintf("where %s went", milliseconds(total))))
	for _, s := range spans {
		before := min(int(s.StartMS/total*columns), columns-1)
		length := max(1, int((s.StartMS+s.MS)/total*columns)-before)
		bar := strings.Repeat(" ", before) + strings.Repeat("█", length)
		label := s.Label
		if s.Turn > 0 {
			label = fmt.Sprintf("turn %d: %s", s.Turn, label)
		}
		out.Line("  " + out.Styles.Dim(text.Fit(s.Part, 10)) + out.Styles.Accent(text.Fit(bar, columns)) + "  " +
			text.FitRight(milliseconds(s.MS), 9) + "  " + out.Styles.Dim(text.Clean(label)))
	}
}

func milliseconds(ms float64) string {
	if ms >= 10_000 {
		return text.Number(ms/1000) + " s"
	}
	return text.Number(ms) + " ms"
}
