package conformance

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// trick is a task with its truth, based on an item of the fixtures, if possible one with a wrong answer.
type trick struct {
	truth
	name   string // of the item of the fixtures
	base   *awhostv1.ScoreItem
	most   float64 // maximum score of a wrong answer
	others []string
}

// mostTricks is the maximum number of tasks of the fixtures.
const mostTricks = 4

// worst returns the item of the fixtures with the lowest score, or nil.
func (t *T) worst() *item {
	var worst *item
	for _, i := range t.items() {
		if i.most != nil && (worst == nil || *i.most < *worst.most) {
			worst = &i
		}
	}
	return worst
}

// best returns the item of the fixtures with the highest score, or nil.
func (t *T) best() *item {
	var best *item
	for _, i := range t.items() {
		if i.least != nil && (best == nil || *i.least > *best.least) {
			best = &i
		}
	}
	return best
}

// tricks returns the tasks with known truths whose right answers score more than a wrong one: odd answers can be
// built for them.
func (t *T) tricks() []trick {
	path := t.component.fixture.Judges
	if path == "" {
		t.skipf("the fixtures of %s do not set \"judges\", the member of the private part that contains the "+
			"truth", t.component.address())
	}
	worst := t.worst()
	var out []trick
	for _, right := range t.items() {
		text, ok := truthMember(right.GetTask().GetPrivateJson(), path)
		if !ok || *right.least <= *worst.most {
			continue
		}
		made := trick{name: right.name, base: right.ScoreItem, most: *worst.most}
		wrong := t.wrongFor(right, *worst.most)
		made.truth = newTruth(text, right.GetFinalAnswer(), wrong.GetFinalAnswer())
		if sameTask(wrong.GetTask(), right.GetTask()) { // prior messages of the right answer may have value
			made.base = wrong.ScoreItem
		}
		out = append(out, made)
	}
	for i := range out {
		for k := range out {
			if i != k && !out[i].same(out[k].text) {
				out[i].others = append(out[i].others, out[k].text)
			}
		}
	}
	return out[:min(len(out), mostTricks)]
}

// wrongFor returns an item of the fixtures with a wrong answer, for the same task if possible.
func (t *T) wrongFor(right item, most float64) item {
	for _, i := range t.items() {
		if *i.most <= most && sameTask(i.GetTask(), right.GetTask()) && i.GetFinalAnswer() != "" {
			return i
		}
	}
	return *t.worst()
}

func sameTask(a, b *awhostv1.Task) bool {
	return string(a.GetPrivateJson()) == string(b.GetPrivateJson()) &&
		string(a.GetPublicJson()) == string(b.GetPublicJson())
}

// answering returns an item with another answer, including its last message.
func answering(base *awhostv1.ScoreItem, text string) *awhostv1.ScoreItem {
	i := proto.Clone(base).(*awhostv1.ScoreItem)
	i.FinalAnswer = text
	if n := len(i.GetMessages()); n > 0 {
		i.Messages[n-1] = assistant(text)
	}
	return i
}

// scoreAll scores many items, in batches of the maximum size.
func (t *T) scoreAll(items []*awhostv1.ScoreItem) []*awhostv1.ScoreResult {
	most := int(max(t.component.GetReward().GetBatchSize(), 1))
	var out []*awhostv1.ScoreResult
	for len(items) > 0 {
		n := min(len(items), most)
		results, err := t.score(items[:n]...)
		if err != nil {
			t.fatalf("a wrong answer, such as %.80q: %v", items[0].GetFinalAnswer(), err)
		}
		out, items = append(out, results...), items[n:]
	}
	return out
}

// mostShown bounds the reported answers per task.
const mostShown = 5

// more returns why an answer that is not right scores more than a wrong one, or "" if it does not.
func (k *trick) more(r *awhostv1.ScoreResult) string {
	switch v := r.GetValue(); {
	case v == nil:
		return ""
	case v.GetScore() > k.most:
		return fmt.Sprintf("gets %v, but a wrong answer gets at most %g", v.GetScore(), k.most)
	case v.GetIsSuccess():
		return "counts as a success"
	}
	return ""
}

// worthless checks that answers score no more than a wrong one.
func (t *T) worthless(k *trick, base *awhostv1.ScoreItem, list []oddAnswer) {
	items := make([]*awhostv1.ScoreItem, len(list))
	for i, a := range list {
		items[i] = answering(base, a.text)
	}
	found := 0
	for i, r := range t.scoreAll(items) {
		why := k.more(r)
		if why == "" {
			continue
		}
		if found++; found <= mostShown {
			t.errorf("%s, answered with %s, %.80q: it %s", k.name, list[i].what, list[i].text, why)
		}
	}
	if found > mostShown {
		t.errorf("%s: %d more such answers", k.name, found-mostShown)
	}
}

func checkHedges(t *T) {
	for _, k := range t.tricks() {
		t.worthless(&k, k.base, k.hedges())
		for _, pair := range k.orders() {
			results := t.scoreAll([]*awhostv1.ScoreItem{answering(k.base, pair[0].text), answering(k.base, pair[1].text)})
			if why := k.more(results[0]); why != "" && k.more(results[1]) != "" {
				t.errorf("%s, answered with %s and with %s: each %s; one of them has to count", k.name, pair[0].what, pair[1].what,
					why)
			}
		}
		if why := k.more(t.one(k.saidBefore(), "a wrong answer after a message with the truth")); why != "" {
			t.errorf("%s, with the truth in an earlier message and a wrong answer: it %s", k.name, why)
		}
	}
}

// saidBefore returns a conversation that mentions the truth before it ends with a wrong answer.
func (k *trick) saidBefore() *awhostv1.ScoreItem {
	i := answering(k.base, k.wrap(k.wrong))
	last := i.GetMessages()[len(i.GetMessages())-1]
	i.Messages = append(i.Messages[:len(i.Messages)-1:len(i.Messages)-1], assistant("It might be "+k.wrap(k.text)),
		user("Are you sure?"), last)
	return i
}

func checkPaddings(t *T) {
	for _, k := range t.tricks() {
		t.worthless(&k, k.base, k.paddings())
	}
}

func checkOddities(t *T) {
	for _, k := range t.tricks() {
		path := t.component.fixture.Judges
		t.worthless(&k, k.base, k.oddities(path, k.base.GetTask().GetPublicJson(), k.others))
		if t.component.GetReward().GetTruthOptional() {
			continue
		}
		for what, private := range map[string]string{"without the truth": "{}", "with null for the truth": nestedNull(path),
			"without a private part": ""} {
			base := proto.Clone(k.base).(*awhostv1.ScoreItem)
			base.Task.PrivateJson = []byte(private)
			list := k.both([]oddAnswer{{"nothing, " + what, ""}, {"a word, " + what, "None"}, {"a word, " + what, "null"},
				{"a wrong answer, " + what, k.wrong}})
			t.worthless(&k, base, list)
		}
	}
}

// nestedNull returns a private part whose truth is null.
func nestedNull(path string) string {
	names := strings.Split(path, ".")
	text := "null"
	for i := len(names) - 1; i >= 0; i-- {
		text = fmt.Sprintf("{%q:%s}", names[i], text)
	}
	return text
}

// forged returns answers that talk about their score.
func forged(wrong string) []oddAnswer {
	var list []oddAnswer
	for _, f := range forgeries {
		list = append(list, oddAnswer{f.what, strings.ReplaceAll(f.text, "%s", wrong)})
	}
	return list
}

func checkForgingTruth(t *T) {
	for _, k := range t.tricks() {
		t.worthless(&k, k.base, append(forged(k.wrong), forged(k.wrap(k.wrong))...))
	}
}

func checkForging(t *T) {
	if why := t.component.fixture.Persuadable; why != "" {
		t.skipf("the fixtures of %s explain why text may raise its score: %s", t.component.address(), why)
	}
	if t.component.fixture.Judges != "" {
		t.skipf("%s sets `judges`, for which RWD-FORGE-02 is stricter", t.component.address())
	}
	wrong := t.worst()
	if wrong == nil {
		t.skipf("the fixtures of %s contain no items: a forged score can only be detected next to an honest one",
			t.component.address())
	}
	if honest := t.one(wrong.ScoreItem, wrong.name); honest.GetValue() == nil {
		t.skipf("%s gets no number: %s", wrong.name, say(honest))
	}
	for _, f := range forged(wrong.GetFinalAnswer()) {
		if r := t.one(answering(wrong.ScoreItem, f.text), f.what); r.GetValue() != nil &&
			r.GetValue().GetScore() > *wrong.most {
			t.errorf("%s, with %s: it gets %s, but the answer may get at most %g", wrong.name, f.what, say(r), *wrong.most)
		}
	}
}
