package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// Recorded is the result of `plugin test --record`.
type Recorded struct {
	Type string   `json:"type"`
	File string   `json:"file"`
	Left []string `json:"left"` // components that were not recorded, with reasons
}

// RecordedOf returns the result for a transcript of a plugin's responses.
func RecordedOf(path string, left []string) Recorded {
	return Recorded{Type: "transcript", File: path, Left: append([]string{}, left...)}
}

// Text implements Result.
func (r Recorded) Text(out *text.Printer) {
	for _, l := range r.Left {
		out.Line("  " + out.Styles.Dim("– not recorded: "+text.Clean(l)))
	}
	out.Line(fmt.Sprintf("%s recorded in %s", out.Styles.Good("✓"), text.Clean(r.File)))
}

// change is a call whose response differs from the recorded one, as found by `plugin test --replay`.
type change struct {
	Type   string           `json:"type" jsonschema_description:"A call that is answered otherwise than it was."`
	Line   int              `json:"line" jsonschema:"minimum=1" jsonschema_description:"Of the transcript."`
	Before conformance.Call `json:"before"`
	Now    conformance.Call `json:"now"`
}

// replay holds the totals for `plugin test --replay` and is printed last.
type replay struct {
	Type    string `json:"type"`
	Calls   int    `json:"calls" jsonschema:"minimum=0"`
	Changes int    `json:"changes" jsonschema:"minimum=0"`
}

// Replayed is the result of `plugin test --replay`.
type Replayed struct {
	path    string
	changes []conformance.Change
	calls   int
}

// ReplayedOf returns the result for a transcript's calls, some of which have different responses.
func ReplayedOf(path string, changes []conformance.Change, calls int) Replayed {
	return Replayed{path, changes, calls}
}

// Lines implements List.
func (r Replayed) Lines() []any {
	var out []any
	for _, c := range r.changes {
		out = append(out, change{Type: "change", Line: c.Line, Before: c.Call, Now: c.Got})
	}
	return append(out, replay{Type: "replay", Calls: r.calls, Changes: len(r.changes)})
}

// shownAnswer is the maximum number of characters in a response that are shown to people.
const shownAnswer = 2000

// Text implements Result.
func (r Replayed) Text(out *text.Printer) {
	for _, c := range r.changes {
		out.Line(fmt.Sprintf("%s %s: %s %s is answered otherwise",
			out.Styles.Bad("✗"), text.Clean(fmt.Sprintf("%s:%d", r.path, c.Line)), c.Call.Component, c.Call.Method))
		for _, said := range []struct{ what, text string }{
			{"request", string(c.Call.Request)}, {"before ", answerOf(c.Call)}, {"now    ", answerOf(c.Got)},
		} {
			out.Line("      " + out.Styles.Dim(said.what+" ") + shorten(text.Clean(said.text), shownAnswer))
		}
	}
	out.Line(fmt.Sprintf("%d calls, %d answered otherwise", r.calls, len(r.changes)))
}

func answerOf(c conformance.Call) string {
	if c.Status != "" {
		return c.Status
	}
	return string(c.Response)
}

// shorten truncates a string to a number of characters and appends its length.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%s… (%d characters)", string(runes[:most]), len(runes))
	}
	return text
}
