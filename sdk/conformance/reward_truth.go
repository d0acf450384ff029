package conformance

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// badAnswerTask is a task with its truth, based on an item from the fixtures, preferably one with a wrong answer.
type badAnswerTask struct {
	truth
	name   string // of the item of the fixtures
	base   *awhostv1.ScoreItem
	most   float64 // maximum score of a wrong answer
	others []string
}

// maxBadAnswerTasks is the maximum number of tasks taken from the fixtures.
const maxBadAnswerTasks = 4

// lowestItem returns the fixture item with the lowest score, or nil.
func (t *T) lowestItem() *item {
	var worst *item
	for _, i := range t.items() {
		if i.most != nil && (worst == nil || *i.most < *worst.most) {
			worst = &i
		}
	}
	return worst
}

// highestItem returns the fixture item with the highest score, or nil.
func (t *T) highestItem() *item {
	var best *item
	for _, i := range t.items() {
		if i.least != nil && (best == nil || *i.least > *best.least) {
			best = &i
		}
	}
	return best
}

// badAnswerTasks returns the tasks with known truths whose right answers score more than a wrong one: bad answers can
// be built for them.
func (t *T) badAnswerTasks() []badAnswerTask {
	path := t.component.fixture.Judges
	if path == "" {
		t.skipf("the fixtures of %s do not set \"judges\", the member of the private part that contains the "+
			"truth", t.component.address())
	}
	worst := t.lowestItem()
	var out []badAnswerTask
	for _, right := range t.items() {
		text, ok := truthMember(right.GetTask().GetPrivateJson(), path)
		if !ok || *right.least <= *worst.most {
			continue
		}
		made := badAnswerTask{name: right.name, base: right.ScoreItem, most: *worst.most}
		wrong := t.wrongAnswerFor(right, *worst.most)
		made.truth = newTruth(text, right.GetFinalAnswer(), wrong.GetFinalAnswer())
		if sameTask(wrong.GetTask(), right.GetTask()) { // prior messages of the right answer may have value
			made.base = wrong.ScoreItem
		}
		out = append(out, made)
	}
	for i := range out {
		for k := range out {
			if i != k && !out[i].mayEqual(out[k].text) {
				out[i].others = append(out[i].others, out[k].text)
			}
		}
	}
	return out[:min(len(out), maxBadAnswerTasks)]
}

// wrongAnswerFor returns a fixture item with a wrong answer, for the same task if possible.
func (t *T) wrongAnswerFor(right item, most float64) item {
	for _, i := range t.items() {
		if *i.most <= most && sameTask(i.GetTask(), right.GetTask()) && i.GetFinalAnswer() != "" {
			return i
		}
	}
	return *t.lowestItem()
}

func sameTask(a, b *awhostv1.Task) bool {
	return string(a.GetPrivateJson()) == string(b.GetPrivateJson()) &&
		string(a.GetPublicJson()) == string(b.GetPublicJson())
}

// withAnswer returns an item with a different answer, including its last message.
func withAnswer(base *awhostv1.ScoreItem, text string) *awhostv1.ScoreItem {
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

// maxReported limits the number of answers reported per task.
const maxReported = 5

// excess returns why an answer that is not right scores more than a wrong one, or "" if that is not the case.
func (k *badAnswerTask) excess(r *awhostv1.ScoreResult) string {
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

// checkBadAnswers checks that the given answers score no more than a wrong one.
func (t *T) checkBadAnswers(k *badAnswerTask, base *awhostv1.ScoreItem, list []badAnswer) {
	items := make([]*awhostv1.ScoreItem, len(list))
	for i, a := range list {
		items[i] = withAnswer(base, a.text)
	}
	found := 0
	for i, r := range t.scoreAll(items) {
		why := k.excess(r)
		if why == "" {
			continue
		}
		if found++; found <= maxReported {
			t.errorf("%s, answered with %s, %.80q: it %s", k.name, list[i].what, list[i].text, why)
		}
	}
	if found > maxReported {
		t.errorf("%s: %d more such answers", k.name, found-maxReported)
	}
}

func checkHedges(t *T) {
	for _, k := range t.badAnswerTasks() {
		t.checkBadAnswers(&k, k.base, k.hedgedAnswers())
		for _, pair := range k.orderedPairs() {
			results := t.scoreAll([]*awhostv1.ScoreItem{withAnswer(k.base, pair[0].text), withAnswer(k.base, pair[1].text)})
			if why := k.excess(results[0]); why != "" && k.excess(results[1]) != "" {
				t.errorf("%s, answered with %s and with %s: each %s; one of them must "+
					"count", k.name, pair[0].what, pair[1].what,
					why)
			}
		}
		if why := k.excess(t.scoreOne(k.truthInEarlierMessage(),
			"a wrong answer after a message with the truth")); why != "" {
			t.errorf("%s, with the truth in an earlier message and a wrong answer: it %s", k.name, why)
		}
	}
}

// truthInEarlierMessage returns a conversation that mentions the truth before it ends with a wrong answer.
func (k *badAnswerTask) truthInEarlierMessage() *awhostv1.ScoreItem {
	i := withAnswer(k.base, k.wrap(k.wrong))
	last := i.GetMessages()[len(i.GetMessages())-1]
	i.Messages = append(i.Messages[:len(i.Messages)-1:len(i.Messages)-1], assistant("It might be "+k.wrap(k.text)),
		user("Are you sure?"), last)
	return i
}

func checkPaddings(t *T) {
	for _, k := range t.badAnswerTasks() {
		t.checkBadAnswers(&k, k.base, k.paddedAnswers())
	}
}

func checkOddities(t *T) {
	for _, k := range t.badAnswerTasks() {
		path := t.component.fixture.Judges
		t.checkBadAnswers(&k, k.base, k.unrelatedAnswers(path, k.base.GetTask().GetPublicJson(), k.others))
		if t.component.GetReward().GetTruthOptional() {
			continue
		}
		for what, private := range map[string]string{"without the truth": "{}", "with null for the truth": nestedNull(path),
			"without a private part": ""} {
			base := proto.Clone(k.base).(*awhostv1.ScoreItem)
			base.Task.PrivateJson = []byte(private)
			list := k.inBothForms([]badAnswer{{"nothing, " + what, ""}, {"a word, " + what, "None"}, {"a word, " + what, "null"},
				{"a wrong answer, " + what, k.wrong}})
			t.checkBadAnswers(&k, base, list)
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

// forgedAnswers returns answers that discuss their own score.
func forgedAnswers(wrong string) []badAnswer {
	var list []badAnswer
	for _, f := range forgeries {
		list = append(list, badAnswer{f.what, strings.ReplaceAll(f.text, "%s", wrong)})
	}
	return list
}

func checkForgingTruth(t *T) {
	for _, k := range t.badAnswerTasks() {
		t.checkBadAnswers(&k, k.base, append(forgedAnswers(k.wrong), forgedAnswers(k.wrap(k.wrong))...))
	}
}

func checkForging(t *T) {
	if why := t.component.fixture.Persuadable; why != "" {
		t.skipf("the fixtures of %s explain why text may raise its score: %s", t.component.address(), why)
	}
	if t.component.fixture.Judges != "" {
		t.skipf("%s sets `judges`, for which RWD-FORGE-02 is stricter", t.component.address())
	}
	wrong := t.lowestItem()
	if wrong == nil {
		t.skipf("the fixtures of %s contain no items: a forged score can only be detected next to an honest one",
			t.component.address())
	}
	if honest := t.scoreOne(wrong.ScoreItem, wrong.name); honest.GetValue() == nil {
		t.skipf("%s gets no number: %s", wrong.name, describeResult(honest))
	}
	for _, f := range forgedAnswers(wrong.GetFinalAnswer()) {
		if r := t.scoreOne(withAnswer(wrong.ScoreItem, f.text), f.what); r.GetValue() != nil &&
			r.GetValue().GetScore() > *wrong.most {
			t.errorf("%s, with %s: it gets %s, but the answer may get at most %g", wrong.name, f.what, describeResult(r),
				*wrong.most)
		}
	}
}
