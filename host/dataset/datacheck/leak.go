package datacheck

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/answertext"
)

// leaks counts the tasks whose public part contains the ground truth or a solution.
type leaks struct {
	fields    map[string]*field
	prompt    promptLeak
	solutions struct {
		count, differ, compared, mentions int
		first                             uint64 // hash of the first one
		examples                          tally
	}
}

// field counts the rows in which a public field has a value, repeats the ground truth, or mentions it.
type field struct{ rows, repeats, mentions int }

func newLeaks() leaks {
	return leaks{fields: map[string]*field{}, prompt: promptLeak{truths: map[uint64]occurrence{}}}
}

// compare compares a task's public fields with its ground truth. A field repeats it only if all of the field's values
// do, because one of several choices always does.
func (s *leaks) compare(public map[string]any, q *question, truth any) {
	var truths []string
	accepted := map[string][]string{}
	if collect(accepted, "", truth); len(accepted) == 1 { // the fields of an object describe the task, as in a countdown
		for _, text := range slices.Concat(slices.Collect(maps.Values(accepted))...) {
			truths = append(truths, forms(text)...)
		}
	}
	if len(truths) == 0 {
		return
	}
	s.prompt.compare(q.text, truths)
	if q.solution != "" {
		s.solutions.compared++
		if repeats, mentions := occurs(truths, []string{q.solution}); repeats || mentions {
			s.solutions.mentions++
		}
	}
	texts := map[string][]string{}
	delete(public, "messages")
	delete(public, "prompt")
	collect(texts, "", public)
	for name, values := range texts {
		if s.fields[name] == nil {
			s.fields[name] = &field{}
		}
		found := s.fields[name]
		found.rows++
		if repeats, mentions := occurs(truths, values); repeats {
			found.repeats++
		} else if mentions {
			found.mentions++
		}
	}
}

// occurs reports whether all values repeat a truth, and whether one of them mentions it.
func occurs(truths, values []string) (repeats, mentions bool) {
	isTruth := func(form string) bool { return slices.Contains(truths, form) }
	repeats = !slices.ContainsFunc(values, func(text string) bool { return !slices.ContainsFunc(forms(text), isTruth) })
	all := words(strings.Join(values, "\n"))
	mentions = slices.ContainsFunc(truths, func(truth string) bool {
		return len(truth) > 1 && strings.Contains(all, words(truth))
	})
	return repeats, mentions
}

// solve counts a task whose prompt ends with a solution.
func (s *leaks) solve(q *question, place func() string) {
	if q.solution == "" {
		return
	}
	solutions, hash := &s.solutions, maphash.String(seed, q.solution)
	if solutions.count == 0 {
		solutions.first = hash
	}
	if solutions.count++; hash != solutions.first {
		solutions.differ++
	}
	solutions.examples.add(place)
}

// promptLeak counts the prompts that contain the ground truth. A truth may be in a prompt by chance, as one of several
// choices, or because the policy must find it in a text. A prompt gives it away if a word such as "answer" precedes it,
// if it follows the question, or if truths with letters are always at the same place of otherwise different prompts.
type promptLeak struct {
	rows, announced, found int
	truths                 map[uint64]occurrence // by hash of the first form
	different              [2]int                // truths that are announced and found

	place  string // the word before most of the found truths, by majority vote
	votes  int
	rest   uint64 // hash of the first prompt in which a truth is found, without the truth
	differ int    // later prompts with another rest
}

// occurrence is a set of ways in which a truth occurs in prompts.
type occurrence uint8

const (
	isAnnounced occurrence = 1 << iota
	isFound                // it has letters and no announcement
)

func (p *promptLeak) compare(text string, truths []string) {
	p.rows++
	how, place, rest := occursIn(text, truths)
	key := maphash.String(seed, truths[0])
	isNew := p.truths[key]&how == 0
	p.truths[key] |= how
	switch how {
	case isAnnounced:
		if p.announced++; isNew {
			p.different[0]++
		}
	case isFound:
		if p.found++; p.found == 1 {
			p.rest = rest
		} else if rest != p.rest {
			p.differ++
		}
		if isNew {
			p.different[1]++
			p.vote(place)
		}
	}
}

// occursIn returns how a text contains one of the truths, the word before it, and a hash of the remaining text.
func occursIn(text string, truths []string) (how occurrence, place string, rest uint64) {
	if follows(text, truths) {
		return isAnnounced, "", 0
	}
	all := words(text)
	for _, truth := range truths {
		sought := words(truth)
		at := strings.LastIndex(all, sought)
		if at < 0 || len(truth) < 2 || strings.TrimSpace(sought) == "" {
			continue
		}
		before := strings.Fields(all[max(0, at-mostBefore):at])
		if announces(before) {
			return isAnnounced, "", 0
		}
		place = "end"
		if at+len(sought) < len(all) {
			place = strings.Join(before[max(0, len(before)-1):], "")
		}
		if len(place) == 1 || !strings.ContainsFunc(truth, unicode.IsLetter) {
			return 0, "", 0 // an option, or a number
		}
		return isFound, place, maphash.String(seed, all[:at]+all[at+len(sought):])
	}
	return 0, "", 0
}

func (p *promptLeak) vote(place string) {
	switch {
	case p.votes == 0:
		p.place, p.votes = place, 1
	case p.place == place:
		p.votes++
	default:
		p.votes--
	}
}

// matches returns the number of prompts that give the truth away, or 0 if they are few or the truths are: labels are
// often announced by chance.
func (p *promptLeak) matches() int {
	matches, different := p.announced, p.different[0]
	if p.different[1] >= leastTruths && 5*p.votes >= 4*p.different[1] && 2*p.differ > p.found {
		matches, different = matches+p.found, different+p.different[1]
	}
	if 4*matches <= 3*p.rows || 4*different <= 3*len(p.truths) || different < 2 {
		return 0
	}
	return matches
}

// leastTruths is the number of truths whose common place is not chance.
const leastTruths = 3

// mostBefore is the number of bytes before a truth that may announce it.
const mostBefore = 60

// follows reports whether a truth follows the question, or is a worked solution's answer.
func follows(text string, truths []string) bool {
	if worked := forms(text); len(worked) > 1 && slices.Contains(truths, worked[1]) {
		return true
	}
	text = strings.ToLower(strings.TrimRight(text, " \t\n.)$"))
	return slices.ContainsFunc(truths, func(truth string) bool {
		before, ends := strings.CutSuffix(text, truth)
		question := strings.TrimRight(before, " \t\n($")
		return ends && question != "" && (strings.ContainsAny(question[len(question)-1:], "?=") ||
			strings.Contains(before[len(question):], "\n"))
	})
}

var (
	announcements = []string{"answer", "solution", "truth", "label", "hint"}
	fillers       = []string{"is", "the", "a", "correct", "final", "right", "boxed", "here"}
)

// announces reports whether the words before a truth announce it, such as "the answer is".
func announces(before []string) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if slices.Contains(announcements, before[i]) {
			return true
		}
		if !slices.Contains(fillers, before[i]) {
			return false
		}
	}
	return false
}

// collect gathers the strings and numbers in a value by field. All elements of a list belong to the list's field.
func collect(into map[string][]string, field string, value any) {
	switch v := value.(type) {
	case string:
		into[field] = append(into[field], v)
	case json.Number:
		into[field] = append(into[field], v.String())
	case []any:
		for _, element := range v {
			collect(into, field, element)
		}
	case map[string]any:
		for name, inner := range v {
			collect(into, strings.TrimPrefix(field+"."+name, "."), inner)
		}
	}
}

// leaked reports fields that match in more than three out of four rows. Fewer matches can occur by chance, and equal
// answers may differ in format ("1/2", "0.5").
func (t *Tasks) leaked() (out []TaskFinding) {
	add := func(id, subject, verb, remedy string, severity event.FindingSeverity, matches, rows int) {
		f := TaskFinding{Refused: severity == event.FindingError && id == findings.TruthInPrompt}
		f.ID, f.Subject, f.Severity, f.Remedy = id, subject, severity, remedy
		f.Summary = fmt.Sprintf("%s %s the ground truth in %d of %d compared tasks, and agents receive it", subject, verb,
			matches, rows)
		out = append(out, t.finding(f, matches))
	}
	for _, name := range slices.Sorted(maps.Keys(t.leak.fields)) {
		found := t.leak.fields[name]
		remedy := fmt.Sprintf("Write private = [%q] in the dataset block, so that only rewards and environments "+
			"get it, or drop = [%[1]q]", name)
		if 4*found.repeats > 3*found.rows {
			add(findings.TruthInPrompt, name, "repeats", remedy, event.FindingError, found.repeats, found.rows)
		} else if all := found.repeats + found.mentions; 4*all > 3*found.rows {
			add(findings.TruthInPrompt, name, "mentions", remedy, "", all, found.rows)
		}
	}
	if p := &t.leak.prompt; p.matches() > 0 {
		add(findings.TruthInPrompt, "prompt", "mentions", "", "", p.matches(), p.rows)
	}
	return append(out, t.solved()...)
}

// solved reports prompts that end with a solution. A text that is equal in most tasks is the begin of the answer.
func (t *Tasks) solved() []TaskFinding {
	s := &t.leak.solutions
	mentions := s.mentions > 0 && 4*s.mentions > 3*s.compared
	if 4*s.count <= 3*t.Rows || 2*s.differ <= s.count && !mentions {
		return nil
	}
	f := TaskFinding{Examples: s.examples.examples}
	f.ID = findings.SolutionInPrompt
	f.Summary = fmt.Sprintf("%s include %d with a message of the assistant at the end %s", t.all(), s.count,
		s.examples.list())
	if mentions {
		f.Summary += fmt.Sprintf(", which mentions the ground truth in %d of %d compared tasks", s.mentions, s.compared)
	}
	return []TaskFinding{t.finding(f, s.count)}
}

var (
	thousands = regexp.MustCompile(`,(\d{3})`)
	finalBox  = regexp.MustCompile(`\}[\s$.)\]\\]*$`)
)

// forms returns the possible answers in a string: the whole string, and the end of a worked solution after #### or in a
// box. They are normalized: lowercase, and without outer spaces, math delimiters, thousands separators, or a final
// period. Numbers have their shortest form.
func forms(text string) []string {
	out := []string{text}
	if at := strings.LastIndex(text, "####"); at >= 0 {
		out = append(out, text[at+len("####"):])
	} else if box, found := answertext.LastBox(text); found && finalBox.MatchString(text) {
		out = append(out, box)
	}
	for i, form := range out {
		form = strings.Trim(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(form)), "."), "$ ")
		out[i] = thousands.ReplaceAllString(form, "$1")
		if number, err := strconv.ParseFloat(out[i], 64); err == nil {
			out[i] = strconv.FormatFloat(number, 'g', -1, 64)
		}
	}
	return slices.DeleteFunc(out, func(form string) bool { return form == "" })
}

// words returns the words in the text, each surrounded by spaces.
func words(text string) string {
	isOther := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), isOther), " ") + " "
}
