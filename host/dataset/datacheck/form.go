package datacheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/answertext"
)

// asked lists texts of prompts that ask for a form of the answer, or show it. Some must match a pattern, too.
var asked = map[answertext.Form]struct {
	text    string
	pattern *regexp.Regexp
}{
	answertext.Boxed:  {`\boxed`, nil},
	answertext.Framed: {`\fbox`, nil},
	answertext.Hashes: {"####", regexp.MustCompile(`(?m)[^\n#]####[^#]|^####[ \t]*[$-]?\d`)}, // no heading
	answertext.Labeled: {"nswer:",
		regexp.MustCompile(`(?i)\b(?:form|format|end|finish|line|as|with)\b[^.\n]{0,60}\banswer:[ \t]*\S`)},
	answertext.Tagged: {"<answer>", nil},
}

// formSums counts the compared tasks by the set of forms for which their prompts ask.
type formSums struct {
	rows int
	sets map[string]*tally
}

func (s *formSums) compare(q *question, place func() string) {
	var found []string
	text := q.system + q.text
	for form, sought := range asked {
		if strings.Contains(text, sought.text) && (sought.pattern == nil || sought.pattern.MatchString(text)) {
			found = append(found, string(form))
		}
	}
	s.rows++
	if len(found) == 0 {
		return
	}
	slices.Sort(found)
	set := strings.Join(found, ", ")
	if s.sets[set] == nil {
		s.sets[set] = &tally{}
	}
	s.sets[set].add(place)
}

// unread reports forms for which most prompts ask and which a reward does not read.
func (t *Tasks) unread(who Consumers) (out []TaskFinding) {
	for _, reward := range who.Forms {
		for set, found := range t.forms.sets {
			if 2*found.count <= t.forms.rows || slices.Contains(strings.Split(set, ", "), string(reward.Form)) {
				continue
			}
			f := TaskFinding{Examples: found.examples}
			f.ID, f.Subject = findings.AnswerForm, reward.Address
			f.Summary = fmt.Sprintf("%d of %d compared prompts ask for the answer form %s %s, and %s reads %s", found.count,
				t.forms.rows, set, found.list(), reward.Address, reward.Form)
			f.Remedy = fmt.Sprintf("Write answer_form = %q in the block of the reward, or change the prompts",
				strings.Split(set, ", ")[0])
			out = append(out, t.finding(f, found.count))
		}
	}
	return out
}
