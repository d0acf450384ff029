package answertext

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Form is a form in which a model marks its answer. The zero value is Boxed.
type Form string

// The forms. If a text has several answers, the last one counts.
const (
	Boxed   Form = "boxed"  // \boxed{72}
	Framed  Form = "fbox"   // \fbox{72}
	Hashes  Form = "hashes" // #### 72, as in GSM8K
	Labeled Form = "label"  // Answer: 72
	Tagged  Form = "tag"    // <answer>72</answer>
)

// FormAttribute returns the attribute with which rewards select the form.
func FormAttribute() schema.Attribute {
	return schema.String("answer_form", "Form of the answer: `boxed`, `\\boxed{72}`; `fbox`, `\\fbox{72}`; `hashes`, "+
		"`#### 72`; `label`, `Answer: 72`; or `tag`, `<answer>72</answer>`.").
		Default(string(Boxed)).Enum(string(Boxed), string(Framed), string(Hashes), string(Labeled), string(Tagged))
}

// Reproduces returns a component's Validate function: a configuration with the given value of an attribute reproduces
// published results, which excludes other values of the fixed attributes.
func Reproduces(attribute, value string, fixed map[string]string) (
	validate func(context.Context, json.RawMessage) []sdk.Diagnostic) {
	return func(_ context.Context, raw json.RawMessage) (out []sdk.Diagnostic) {
		config := map[string]any{}
		if err := json.Unmarshal(raw, &config); err != nil || config[attribute] != value {
			return nil // the schema reports errors
		}
		for _, name := range slices.Sorted(maps.Keys(fixed)) {
			if other, isSet := config[name]; isSet && other != fixed[name] {
				out = append(out, sdk.Diagnostic{
					Severity: sdk.SeverityError, Summary: "Attribute without effect", Path: []string{name},
					Detail: fmt.Sprintf("%s has no effect with %s = %q. Remove one of them.", name, attribute, value),
				})
			}
		}
		return out
	}
}

// lines match the forms that extend to the end of a line.
var lines = map[Form]*regexp.Regexp{
	Hashes:  regexp.MustCompile(`####[ \t]*([^\n]*)`),
	Labeled: regexp.MustCompile(`(?i)\banswer\*{0,2}[ \t]*[:：][ \t]*\*{0,2}([^\n]*)`),
}

// Find returns the last answer in a text, or all boxes of an answer that consists of several.
func (f Form) Find(text string) []string {
	switch f {
	case Boxed, "":
		return lastBoxes(text, boxed)
	case Framed:
		return lastBoxes(text, `\fbox`)
	case Tagged:
		answer, found := LastTag(text)
		if !found {
			return nil
		}
		return []string{strings.TrimSpace(answer)}
	}
	all := lines[f].FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return nil
	}
	return []string{strings.Trim(all[len(all)-1][1], " \t\r*")}
}

// LastTag returns the content of the last <answer>…</answer> in a text.
func LastTag(text string) (string, bool) {
	const open, end = "<answer>", "</answer>"
	before, _, closed := cutLast(text, end)
	if !closed {
		return "", false
	}
	_, answer, opened := cutLast(before, open)
	answer, _, _ = strings.Cut(answer, end) // of nested tags, the inner one
	return answer, opened
}
