package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// badAnswerTask is a task with its truth, based on an item from the fixtures, preferably one with a wrong answer.
type badAnswerTask struct {
	truth
	name     string // of the item of the fixtures
	path     string // of the truth in the private part
	base     *awhostv1.ScoreItem
	right    *awhostv1.ScoreItem
	most     float64 // maximum score of a wrong answer
	inferred bool    // the fixtures do not set `judges`: only the score of a right answer is too high
	full     float64 // the score of the right answer, if inferred
	others   []string
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
	path := t.judges()
	if path == "" {
		t.skipf("the fixtures of %s do not set \"judges\", the member of the private part that contains the "+
			"truth, a text or a number", t.component.address())
	}
	return t.tasksAt(path)
}

// judges returns the fixtures' member with the truth. It returns "" if no task has a text or a number there: answers
// cannot be built from another truth.
func (t *T) judges() string {
	path := t.component.fixture.Judges
	if slices.ContainsFunc(t.component.fixture.Items, func(i ItemFixture) bool {
		_, single := truthMember(i.Task.Private, path)
		return single
	}) {
		return path
	}
	return ""
}

func (t *T) skipIfPersuadable() {
	if why := t.component.fixture.Persuadable; why != "" {
		t.skipf("the fixtures of %s explain why text may raise its score: %s", t.component.address(), why)
	}
}

// tasksWithTruth returns the tasks of badAnswerTasks. If the fixtures do not set `judges`, it infers the member. A
// reward may then score a bad answer higher than a wrong one, for example by common words, but not as high as the right
// one.
func (t *T) tasksWithTruth() []badAnswerTask {
	if t.judges() != "" {
		return t.badAnswerTasks()
	}
	t.skipIfPersuadable()
	path := t.inferredMember()
	if path == "" {
		t.skipf("%s does not need a ground truth, or no answer in its fixtures contains it", t.component.address())
	}
	out, best := t.tasksAt(path), math.Inf(-1)
	for i := range out {
		out[i].inferred, out[i].full = true, t.scoreOne(out[i].right, out[i].name).GetValue().GetScore()
		best = max(best, out[i].full)
	}
	out = slices.DeleteFunc(out, func(k badAnswerTask) bool { return k.full <= k.most || k.full < best })
	if len(out) == 0 {
		t.skipf("no answer in the fixtures of %s scores higher than another", t.component.address())
	}
	return out
}

// inferredMember returns the member of a private part that contains the truth: `ground_truth`, or the only text or
// number, if a right answer contains it. It returns "" if the reward does not need the ground truth.
func (t *T) inferredMember() string {
	for _, right := range t.items() {
		private := right.GetTask().GetPrivateJson()
		leaves := leavesOf(private)
		for _, l := range leaves {
			_, single := truthMember(private, l.path)
			if single && (len(leaves) == 1 || l.path == "ground_truth") && contains(right.GetFinalAnswer(), l.text) &&
				right.least != nil && slices.Contains(t.component.GetReward().GetNeeds(), "ground_truth") {
				return l.path
			}
		}
	}
	return ""
}

func (t *T) tasksAt(path string) []badAnswerTask {
	worst := t.lowestItem()
	var out []badAnswerTask
	for _, right := range t.items() {
		text, ok := truthMember(right.GetTask().GetPrivateJson(), path)
		if !ok || *right.least <= *worst.most {
			continue
		}
		made := badAnswerTask{name: right.name, path: path, base: right.ScoreItem, right: right.ScoreItem, most: *worst.most}
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
	case v == nil, k.inferred && v.GetScore() < k.full:
		return ""
	case v.GetScore() > k.most:
		return fmt.Sprintf("gets %v, but a wrong answer gets at most %g", v.GetScore(), k.most)
	case v.GetIsSuccess() && !k.inferred:
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
		t.checkUnrelated(&k, k.unrelatedAnswers(k.path, k.base.GetTask().GetPublicJson(), k.others))
	}
}

// checkUnrelated checks answers that are unrelated to the task, and answers to a task whose truth is missing.
func (t *T) checkUnrelated(k *badAnswerTask, list []badAnswer) {
	t.checkBadAnswers(k, k.base, list)
	if t.component.GetReward().GetTruthOptional() {
		return
	}
	for what, private := range map[string]string{"without the truth": "{}", "without a private part": "",
		"with null for the truth": nested(k.path, "null")} {
		base := proto.Clone(k.base).(*awhostv1.ScoreItem)
		base.Task.PrivateJson = []byte(private)
		list := k.inBothForms([]badAnswer{{"nothing, " + what, ""}, {"a word, " + what, "None"}, {"a word, " + what, "null"},
			{"a wrong answer, " + what, k.wrong}})
		t.checkBadAnswers(k, base, list)
	}
}

// checkUndeclaredTruth uses only answers that no honest extraction reads as the truth, because the reward has not
// declared that it compares the whole answer.
func checkUndeclaredTruth(t *T) {
	if t.judges() != "" {
		t.skipf("%s sets `judges`, for which other checks are stricter", t.component.address())
	}
	for _, k := range t.tasksWithTruth() {
		// A reward may read the first or the last answer, but not both.
		pair := []string{k.wrap(k.text + " or " + k.wrong), k.wrap(k.wrong + " or " + k.text)}
		first, last := t.scoreOne(withAnswer(k.base, pair[0]), pair[0]), t.scoreOne(withAnswer(k.base, pair[1]), pair[1])
		if why := k.excess(first); why != "" && k.excess(last) != "" {
			t.errorf("%s, answered with %.80q and with %.80q: each %s", k.name, pair[0], pair[1], why)
		}
		list := slices.Concat(k.paddedAnswers(), k.unrelatedAnswers(k.path, k.base.GetTask().GetPublicJson(), k.others),
			forgedAnswers(k.wrong), forgedAnswers(k.wrap(k.wrong)))
		if runes := []rune(k.text); len(runes) > 1 {
			list = append(list, k.inBothForms([]badAnswer{{"the first character of the truth", string(runes[:1])},
				{"the last character of the truth", string(runes[len(runes)-1:])}})...)
		}
		t.checkUnrelated(&k, slices.DeleteFunc(list, func(a badAnswer) bool { return contains(a.text, k.text) }))
	}
}

// withTruth returns an item of another task that differs only in its truth.
func (k *badAnswerTask) withTruth(text string) *awhostv1.ScoreItem {
	i := proto.Clone(k.base).(*awhostv1.ScoreItem)
	i.EpisodeId, i.Task.Id = i.GetEpisodeId()+"/"+text, i.GetTask().GetId()+"/"+text
	private := replaced(decoded(i.GetTask().GetPrivateJson()), "", func(l leaf) any {
		if l.path == k.path {
			l.text = text
		}
		if _, isNumber := number(l.text); l.bare && isNumber {
			return json.Number(l.text)
		}
		return l.text
	})
	i.Task.PrivateJson, _ = json.Marshal(private) // decoded from JSON: never fails
	return i
}

func checkTruthsOfBatch(t *T) {
	if !t.judgesAlone() {
		t.skipf("%s calls a model, or compares the items of a call", t.component.address())
	}
	for _, k := range t.tasksWithTruth() {
		answer := k.right.GetFinalAnswer()
		for _, truths := range [][]string{{k.text, k.wrong}, {k.wrong, k.text}} {
			pair := []*awhostv1.ScoreItem{withAnswer(k.withTruth(truths[0]), answer), withAnswer(k.withTruth(truths[1]), answer)}
			for i, together := range t.scoreAll(pair) {
				if alone := t.scoreOne(pair[i], k.name); !proto.Equal(alone, together) {
					t.errorf("with the truth %q, the answer %.80q gets %s next to the same answer with another truth, but %s on "+
						"its own", truths[i], answer, describeResult(together), describeResult(alone))
				}
			}
		}
		if !contains(answer, k.text) {
			continue // it may be right whatever the truth is: an answer that admits ignorance, for example
		}
		own, other := t.scoreOne(withAnswer(k.withTruth(k.text), answer), k.name), withAnswer(k.withTruth(k.wrong), answer)
		if r := t.scoreOne(other, k.name); !k.mayEqual(k.wrong) && r.GetValue() != nil && own.GetValue() != nil &&
			r.GetValue().GetScore() >= own.GetValue().GetScore() {
			t.errorf("the answer %.80q gets %s with the truth %q, and %s with %q", answer, describeResult(own), k.text,
				describeResult(r), k.wrong)
		}
	}
}

// programs lists answers that create the file MARK if they are executed, or take too long.
var programs = []badAnswer{
	{"Python", `__import__("pathlib").Path("MARK").touch()`}, {"Python", `open("MARK", "w")`},
	{"Python without builtins", `[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"][0]` +
		`.__init__.__globals__["system"]("touch MARK")`},
	{"a block of Python", "```python\nopen('MARK', 'w')\n```"}, {"a shell command", "$(touch MARK)"},
	{"a shell command", "'; touch MARK; '"}, {"JavaScript", `process.getBuiltinModule("fs").writeFileSync("MARK", "")`},
	{"YAML", `!!python/object/apply:os.system ["touch MARK"]`},
	{"a template", `{{ cycler.__init__.__globals__.os.system("touch MARK") }}`}, {"a huge number", "9**9**9**9"},
}

func checkExecution(t *T) {
	mark := filepath.Join(t.ownDir(), "mark")
	for _, k := range t.tasksWithTruth() {
		for _, program := range programs {
			text := strings.ReplaceAll(program.text, "MARK", mark)
			for _, answer := range []string{text, k.wrap(text)} {
				if _, err := t.score(withAnswer(k.base, answer)); err != nil {
					t.fatalf("%s, answered with %s, %.80q: %v", k.name, program.what, answer, err)
				}
				if os.Remove(mark) == nil {
					t.errorf("%s, answered with %s, %.80q: it was executed, and created a file", k.name, program.what, answer)
				}
			}
		}
	}
}

func checkNearNumbers(t *T) {
	t.checkOtherTruth("1000", true, badAnswer{"a larger number", "1070"}, badAnswer{"a smaller number", "930"})
}

func checkPatterns(t *T) {
	inspected := t.triesOtherTruth("Quxo.jy", false, badAnswer{"a text that matches as a pattern", "Quxozjy"})
	if !t.triesOtherTruth("37.52", true, badAnswer{"a number that matches as a pattern", "37252"}) && !inspected {
		t.skipf("the fixtures of %s have no right answer that is the truth alone", t.component.address())
	}
}

func checkRaisedDigits(t *T) {
	t.checkOtherTruth("102", false, badAnswer{"a power", "10²"}, badAnswer{"an index", "10₂"})
}

// unusualNumbers lists texts that careless code takes for numbers, or that only some functions read.
var unusualNumbers = []string{"²", "½", "①", "१", "Ⅷ", "1_0", "0x1f", "--7", "7.8.9", "∞", "nan", "7/0", "9e999"}

func checkUnusualDigits(t *T) {
	list := []badAnswer{{"a boolean", "true"}, {"a boolean", "True"}}
	t.checkOtherTruth("1", true, list...)
	for _, k := range t.tasksWithTruth() {
		base := k.withTruth("1")
		if _, ok := number(k.text); !ok || t.scoreOne(withAnswer(base, k.wrap("seven")), "seven").GetValue() == nil {
			continue
		}
		for _, text := range unusualNumbers {
			if r := t.scoreOne(withAnswer(base, k.wrap(text)), text); r.GetValue() == nil {
				t.errorf("%s, answered with %q: %s, but another wrong answer gets a score", k.name, text, describeResult(r))
			}
		}
	}
}

// numberInText matches a number in an answer.
var numberInText = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?`)

// checkOtherNumbers gives all numbers of an answer the same value.
func checkOtherNumbers(t *T) {
	inspected := false
	for _, i := range t.items() {
		own := numberInText.FindString(i.GetFinalAnswer())
		if own == "" || t.scoreOne(i.ScoreItem, i.name).GetValue() == nil {
			continue
		}
		inspected = true
		for _, number := range append([]string{own}, hostileNumbers...) {
			answer := numberInText.ReplaceAllLiteralString(i.GetFinalAnswer(), number)
			if r := t.scoreOne(withAnswer(i.ScoreItem, answer), answer); r.GetValue() == nil {
				t.errorf("%s, with %.40s for each number: %s", i.name, number, describeResult(r))
				break
			}
		}
	}
	if !inspected {
		t.skipf("no answer in the fixtures has a number and gets a score")
	}
}

func checkEmptyParts(t *T) {
	lowest, inspected := t.lowestItem(), false
	for _, right := range t.items() {
		answer := strings.TrimSpace(right.GetFinalAnswer())
		empty, isTruth := "", false
		switch given := decoded([]byte(answer)).(type) {
		case map[string]any:
			empty, isTruth = "{}", len(given) > 0
		case []any:
			empty, isTruth = "[]", len(given) > 0
		}
		private, _ := decoded(right.GetTask().GetPrivateJson()).(map[string]any)
		isTruth = isTruth && slices.ContainsFunc(slices.Collect(maps.Values(private)), func(v any) bool {
			return reflect.DeepEqual(v, decoded([]byte(answer)))
		})
		if !isTruth || right.least == nil || lowest == nil || *right.least <= *lowest.most {
			continue
		}
		inspected = true
		full := t.scoreOne(right.ScoreItem, right.name).GetValue().GetScore()
		if r := t.scoreOne(withAnswer(right.ScoreItem, empty), empty).GetValue(); r != nil && r.GetScore() >= full {
			t.errorf("%s, answered with %s: it gets %v, and the right answer %v", right.name, empty, r.GetScore(), full)
		}
	}
	if !inspected {
		t.skipf("no right answer of the fixtures is a JSON object or list that equals a member of the private part")
	}
}

// checkMissingParts removes the first or last part of a right answer whose parts all appear in the private part.
func checkMissingParts(t *T) {
	lowest, inspected := t.lowestItem(), false
	for _, right := range t.items() {
		if right.least == nil || lowest == nil || *right.least <= *lowest.most || t.acceptsAny(right) {
			continue
		}
		private := strings.ToLower(string(right.GetTask().GetPrivateJson()))
		for _, separator := range []string{"\n", ";", ","} {
			parts := strings.Split(strings.TrimSpace(right.GetFinalAnswer()), separator)
			foreign := func(part string) bool {
				part = strings.ToLower(strings.Join(strings.Fields(part), " "))
				return part == "" || !strings.Contains(private, part)
			}
			if len(parts) < 2 || slices.ContainsFunc(parts, foreign) {
				continue
			}
			inspected = true
			full := t.scoreOne(right.ScoreItem, right.name).GetValue().GetScore()
			for _, fewer := range [][]string{parts[1:], parts[:len(parts)-1]} {
				answer := strings.Join(fewer, separator)
				if r := t.scoreOne(withAnswer(right.ScoreItem, answer), answer).GetValue(); r != nil && r.GetScore() >= full {
					t.errorf("%s, without one of its %d parts: %.80q gets %v, and the whole answer %v", right.name, len(parts),
						answer, r.GetScore(), full)
				}
			}
			break
		}
	}
	if !inspected {
		t.skipf("no right answer of the fixtures consists of parts of the private part")
	}
}

// acceptsAny reports whether the truth of an item may be a list of accepted answers.
func (t *T) acceptsAny(i item) bool {
	if slices.Contains(t.component.GetReward().GetTruthTypes(), "list") {
		return false
	}
	private, _ := decoded(i.GetTask().GetPrivateJson()).(map[string]any)
	return slices.ContainsFunc(slices.Collect(maps.Values(private)), func(v any) bool { _, ok := v.([]any); return ok })
}

// checkUnreachableJudge scores each item with a longer answer: a reward may have a score for the answers of the
// fixtures without its judge.
func checkUnreachableJudge(t *T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	t.need(err, "find a free port")
	address := closed.Addr().String()
	t.need(closed.Close(), "close the port")
	replacedURL := false
	config, err := json.Marshal(replaced(decoded(t.component.config), "", func(l leaf) any {
		u, err := url.Parse(l.text)
		switch {
		case l.bare:
			return json.Number(l.text)
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			return l.text
		}
		replacedURL, u.Scheme, u.Host = true, "http", address
		return u.String()
	}))
	t.need(err, "write the configuration")
	if !replacedURL {
		t.skipf("the configuration of %s has no URL", t.component.address())
	}
	p, other := t.start(), *t.component
	other.config = config
	t.need(t.suite.configure(t.ctx, p, &other), "configure the component with another URL")
	for _, i := range t.items() {
		out, err := t.scoreIn(p, withAnswer(i.ScoreItem, i.GetFinalAnswer()+" (conformance)"))
		if err != nil || out[0].GetValue() == nil {
			return
		}
	}
	t.errorf("no server listens at the URL of the judge, and each answer gets a score")
}

// checkOtherTruth checks answers to the tasks of the fixtures with another truth; numbers: only those with a number.
func (t *T) checkOtherTruth(text string, numbers bool, list ...badAnswer) {
	if !t.triesOtherTruth(text, numbers, list...) {
		t.skipf("no truth in the fixtures of %s is a number", t.component.address())
	}
}

// triesOtherTruth reports whether a task takes the truth, and checks it as checkOtherTruth does.
func (t *T) triesOtherTruth(text string, numbers bool, list ...badAnswer) (inspected bool) {
	for _, k := range t.tasksWithTruth() {
		base := k.withTruth(text)
		if _, ok := number(k.text); numbers && !ok || k.excess(t.scoreOne(withAnswer(base, k.wrap(text)), text)) == "" {
			continue // the truth is not only in this member
		}
		inspected, k.name = true, k.name+", with the truth "+text
		var wrapped []badAnswer
		for _, a := range list {
			wrapped = append(wrapped, badAnswer{a.what, k.wrap(a.text)})
		}
		t.checkBadAnswers(&k, base, wrapped)
	}
	return inspected
}

// zeroTruths lists truths that a careless test takes for missing ones, by type, and other truths of the type.
var zeroTruths = []struct{ kind, zero, other string }{{"number", "0", "7"}, {"boolean", "false", "true"}}

// truthType returns the name of a truth's type in truth_types, or an empty string for an object, a list, or null.
func truthType(truth any) string {
	switch truth.(type) {
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	return ""
}

func checkZeroTruths(t *T) {
	types := t.component.GetReward().GetTruthTypes()
	path := cmp.Or(t.component.fixture.Judges, t.inferredMember(), "ground_truth")
	inspected := false
	for _, known := range t.items() {
		given := truthType(memberAt(known.GetTask().GetPrivateJson(), path))
		for _, z := range zeroTruths {
			if !slices.Contains(types, z.kind) && (len(types) > 0 || given != z.kind) {
				continue
			}
			with := func(truth string) *awhostv1.ScoreResult {
				i := withAnswer(known.ScoreItem, known.GetFinalAnswer())
				i.Task.PrivateJson = []byte(nested(path, truth))
				return t.scoreOne(i, known.name)
			}
			if with(z.other).GetValue() == nil {
				continue // the truth is not only in this member
			}
			inspected = true
			if r := with(z.zero); r.GetValue() == nil {
				t.fatalf("%s gets a number with the truth %s, and with the truth %s: %s", known.name, z.other, z.zero,
					describeResult(r))
			}
		}
	}
	if !inspected {
		t.skipf("%s judges neither numbers nor booleans", t.component.address())
	}
}

// otherTruths lists, by JSON type, truths that no answer of the fixtures has.
var otherTruths = map[string]string{"string": `"Quxzovajyk"`, "number": "918273.25"}

func checkAcceptedAnswers(t *T) {
	types, lowest, inspected := t.component.GetReward().GetTruthTypes(), t.lowestItem(), false
	if len(types) == 0 || slices.Contains(types, "list") {
		t.skipf("%s does not declare truth_types, or a truth is itself a list", t.component.address())
	}
	path := cmp.Or(t.component.fixture.Judges, t.inferredMember(), "ground_truth")
	for _, right := range t.items() {
		truth := memberAt(right.GetTask().GetPrivateJson(), path)
		other := otherTruths[truthType(truth)]
		text, err := json.Marshal(truth)
		t.need(err, "write a truth")
		own := string(text)
		if other == "" || lowest == nil || right.least == nil || *right.least <= *lowest.most {
			continue
		}
		with := func(truth string) *awhostv1.ScoreResult {
			i := withAnswer(right.ScoreItem, right.GetFinalAnswer())
			i.Task.PrivateJson = []byte(nested(path, truth))
			return t.scoreOne(i, right.name)
		}
		alone := with(own).GetValue()
		if alone.GetScore() < *right.least {
			continue // the truth is not only in this member
		}
		inspected = true
		for _, list := range []string{"[" + own + "]", "[" + own + "," + other + "]", "[" + other + "," + own + "]"} {
			if r := with(list); r.GetValue() == nil || r.GetValue().GetScore() < alone.GetScore() {
				t.errorf("%s gets %v with the truth %.80s, and with %.80s: %s", right.name, alone.GetScore(), own, list,
					describeResult(r))
			}
		}
	}
	if !inspected {
		t.skipf("no right answer of the fixtures has a text or a number as its truth in %s alone", path)
	}
}

func checkSources(t *T) {
	for _, k := range t.tasksWithTruth() {
		for _, role := range []awhostv1.Role{awhostv1.Role_ROLE_USER, awhostv1.Role_ROLE_TOOL} {
			for _, last := range []bool{false, true} {
				with, without := t.scoreOne(k.toldBy(role, k.text, last), k.name), t.scoreOne(k.toldBy(role, k.wrong, last), k.name)
				if why := k.excess(with); why != "" && with.GetValue().GetScore() > without.GetValue().GetScore() {
					t.errorf("%s, answered wrong, with the truth in a message of %s (after the answer: %t): it %s, and without the "+
						"truth in that message %s", k.name, role, last, why, describeResult(without))
				}
			}
		}
	}
}

// toldBy returns a conversation with a wrong answer, and with a text from a user or a tool before or after it.
func (k *badAnswerTask) toldBy(role awhostv1.Role, text string, last bool) *awhostv1.ScoreItem {
	i := withAnswer(k.base, k.wrap(k.wrong))
	call, told := assistant("", &awhostv1.ToolCall{Id: "told", Name: "search", ArgumentsJson: "{}"}), user(k.wrap(text))
	added := []*awhostv1.Message{call, told}
	if told.Role = role; role == awhostv1.Role_ROLE_TOOL {
		told.ToolCallId = "told"
	} else {
		added = added[1:]
	}
	at := len(i.GetMessages())
	if !last {
		at--
	}
	i.Messages = slices.Insert(i.Messages, max(0, at), added...)
	return i
}

// checkExamples scores a wrong answer after a conversation that the policy did not write: the right answer, and a call
// of each tool that the configuration names.
func checkExamples(t *T) {
	right := t.highestItem()
	if right == nil {
		t.skipf("the fixtures of %s contain no items", t.component.address())
	}
	wrong := wrongAnswerLike(right.GetFinalAnswer())
	for _, i := range t.items() {
		if proto.Equal(i.GetTask(), right.GetTask()) && *i.most < *right.least {
			wrong = i.GetFinalAnswer()
		}
	}
	score := func(examples ...*awhostv1.Message) *awhostv1.ScoreResult {
		i := withAnswer(right.ScoreItem, wrong)
		i.Messages = slices.Concat(examples, i.GetMessages())
		i.Sampled = &awhostv1.SampledMessages{Places: []int64{int64(len(i.GetMessages())) - 1}}
		return t.scoreOne(i, "a wrong answer to the task of "+right.name)
	}
	var examples []*awhostv1.Message
	for _, l := range leavesOf(t.component.config) {
		if !l.bare {
			examples = append(examples,
				assistant("", &awhostv1.ToolCall{Id: l.path, Name: l.text, ArgumentsJson: "{}"}),
				&awhostv1.Message{Role: awhostv1.Role_ROLE_TOOL, ToolCallId: l.path, Content: user("done").GetContent()})
		}
	}
	without, with := score(), score(append(examples, right.GetMessages()...)...)
	switch {
	case without.GetValue() == nil:
		t.skipf("the answer %.80q gets no number: %s", wrong, describeResult(without))
	case with.GetValue() != nil && with.GetValue().GetScore() > without.GetValue().GetScore()+1e-9:
		t.errorf("%.80q to the task of %s gets %s, but %s after examples in its prompt", wrong, right.name,
			describeResult(without), describeResult(with))
	}
}

func checkRepetition(t *T) {
	t.skipIfPersuadable()
	best, most := t.highestItem(), math.Inf(-1)
	if best == nil || !slices.Contains(t.component.GetReward().GetNeeds(), "ground_truth") {
		t.skipf("%s does not need a ground truth, or its fixtures contain no items", t.component.address())
	}
	for _, i := range t.items() {
		most = max(most, *i.most)
	}
	answer, form := best.GetFinalAnswer(), t.formOf(best)
	for _, times := range []int{2, 5, 50} {
		repeated := func(text string) string { return strings.TrimSpace(strings.Repeat(text+" ", times)) }
		for _, text := range []string{repeated(answer), form.wrap(repeated(form.text))} {
			if r := t.scoreOne(withAnswer(best.ScoreItem, text), text); r.GetValue() != nil &&
				r.GetValue().GetScore() > most+1e-6 {
				t.errorf("%s, repeated %d times, %.80q: it gets %s, but the best answer in the fixtures gets at most %g", best.name,
					times, text, describeResult(r), most)
			}
		}
	}
}

// formOf returns the form of a right answer.
func (t *T) formOf(right *item) truth {
	if text, ok := truthMember(right.GetTask().GetPrivateJson(), cmp.Or(t.judges(), t.inferredMember())); ok {
		return newTruth(text, right.GetFinalAnswer(), "")
	}
	return truth{text: right.GetFinalAnswer()}
}

// longAnswer is the length of a long, but ordinary answer in characters.
const longAnswer = 5000

func checkLongAnswers(t *T) {
	right := t.highestItem()
	if right == nil {
		t.skipf("the fixtures of %s contain no items", t.component.address())
	}
	form := t.formOf(right)
	for _, part := range []string{"lorem ipsum ", "word ", "x", "7", "step by step\n"} {
		for _, wrap := range []func(string) string{strings.Clone, form.wrap} {
			short, long := wrap(part), wrap(strings.Repeat(part, longAnswer/len(part)))
			if t.scoreOne(withAnswer(right.ScoreItem, short), short).GetValue() == nil {
				continue
			}
			if r := t.scoreOne(withAnswer(right.ScoreItem, long), right.name); r.GetValue() == nil {
				t.errorf("%s, answered with %.40q and %d characters in all: %s; a short answer like it gets a number", right.name,
					long, len(long), describeResult(r))
			}
		}
	}
}

func checkMissingTruth(t *T) {
	right, reward := t.highestItem(), t.component.GetReward()
	if right == nil || !slices.Contains(reward.GetNeeds(), "ground_truth") || reward.GetTruthOptional() {
		t.skipf("%s judges tasks without a ground truth, or its fixtures contain no items", t.component.address())
	}
	for _, private := range []string{"{}", ""} {
		i := withAnswer(right.ScoreItem, right.GetFinalAnswer())
		i.Task.PrivateJson = []byte(private)
		if r := t.scoreOne(i, right.name+" without the truth"); r.GetValue() != nil {
			t.errorf("%s, for a task whose private part is %q: it gets %s; want a failure", right.name, private,
				describeResult(r))
		}
	}
}

// nested returns a private part with only a truth.
func nested(path, text string) string {
	names := strings.Split(path, ".")
	for i := len(names) - 1; i >= 0; i-- {
		text = fmt.Sprintf("{%q:%s}", names[i], text)
	}
	return text
}

// forgedAnswers returns answers that discuss their own score.
func forgedAnswers(wrong string) []badAnswer { return filled(forgeries, wrong) }

func filled(patterns []badAnswer, wrong string) []badAnswer {
	var list []badAnswer
	for _, f := range patterns {
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
	if t.judges() != "" {
		t.skipf("%s sets `judges`, for which RWD-FORGE-02 is stricter", t.component.address())
	}
	t.checkForged(forgeries)
}

func checkForgingVerdicts(t *T) { t.checkForged(verdicts) }

func (t *T) checkForged(patterns []badAnswer) {
	t.skipIfPersuadable()
	wrong := t.lowestItem()
	if wrong == nil {
		t.skipf("the fixtures of %s contain no items: a forged score can only be detected next to an honest one",
			t.component.address())
	}
	if honest := t.scoreOne(wrong.ScoreItem, wrong.name); honest.GetValue() == nil {
		t.skipf("%s gets no number: %s", wrong.name, describeResult(honest))
	}
	for _, f := range filled(patterns, wrong.GetFinalAnswer()) {
		if r := t.scoreOne(withAnswer(wrong.ScoreItem, f.text), f.what); r.GetValue() != nil &&
			r.GetValue().GetScore() > *wrong.most {
			t.errorf("%s, with %s: it gets %s, but the answer may get at most %g", wrong.name, f.what, describeResult(r),
				*wrong.most)
		}
	}
}
