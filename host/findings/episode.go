package findings

import (
	"math"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/metric"
)

// Episode holds the facts of an episode that rules read.
type Episode struct {
	ID, Group string
	Task      string
	Reward    *float64
	Success   *bool
	Tokens    int    // sampled by the policy
	Limit     string // the limit that cut it; empty: none
	Failure   string // class of its failure; empty: none
	Malformed int    // calls that could not be parsed
	Age       int    // steps from its request to its training
	Tools     map[string]ToolUse
	Text      Text   // the policy's messages
	Answer    uint64 // hash of the final answer; 0: no answer
	Times     Times
	Scanned   bool
	Hits      map[string]int // messages in which rules about conversations hold, by rule

	// Set by Numbers.
	sameWrong bool // all samples of its group give one wrong answer
	unequal   bool // an equal conversation of its group has another reward
}

// Times holds the parts of an episode's time in milliseconds, without the time in queues.
type Times struct {
	Model, Environment, Reward float64
	Tools                      map[string]float64 // the environment's time, by tool
}

// timedAll is the time of all parts of the episodes of a step.
const timedAll = metric.Timing + "episodes" + metric.TimingSum

const partEnvironment = "environment"

// timed lists the parts whose share of the time is measured, by the name in metrics.
var timed = []struct {
	name, text string
	of         func(*Times) float64
}{
	{partEnvironment, "the environment takes", func(t *Times) float64 { return t.Environment }},
	{"reward", "rewards take", func(t *Times) float64 { return t.Reward }},
}

// ToolUse counts an episode's calls of a tool, and those to which the tool answered with an error.
type ToolUse struct {
	Calls  int `json:"calls"`
	Errors int `json:"errors,omitempty"`
}

// UnknownTool is the name for all tools that the policy calls although the environment does not offer them.
const UnknownTool = "(unknown)"

// Text holds what a reward can reward by mistake in a text.
type Text struct {
	Chars       int     `json:"chars"`
	Punctuation float64 `json:"punctuation,omitempty"` // share of the characters, ASCII only
	Repeats     float64 `json:"repeats,omitempty"`     // share of the words that repeat a sequence of four words
	// Opening and Ending are hashes of the first and last characters of the last message; 0: no message.
	Opening uint64 `json:"opening,omitempty,string" jsonschema:"type=string"`
	Ending  uint64 `json:"ending,omitempty,string" jsonschema:"type=string"`
	// Whole is the hash of all messages of the conversation, also of other speakers; 0: unknown.
	Whole uint64 `json:"whole,omitempty,string" jsonschema:"type=string"`
}

// edge is the number of bytes at the beginning and the end of a message that a fixed phrase would fill.
const edge = 16

// mostWords limits the words of an episode that are compared.
const mostWords = 20_000

// phrase is the number of words that count as a repeated sequence.
const phrase = 4

// seen holds a bit for each hash of a phrase. Of 1,000 phrases, about eight are counted as repeated by mistake.
type seen [1 << 10]uint64

// add adds a hash and reports whether it was there.
func (s *seen) add(hash uint64) bool {
	word, bit := &s[hash>>54], uint64(1)<<(hash>>48&63)
	was := *word&bit != 0
	*word |= bit
	return was
}

// The parameters of FNV-1a, which is fast for short texts.
const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// HashOf returns the hash of a text.
func HashOf(s string) uint64 { return HashOn(fnvStart, s) }

// HashOn returns the hash of a text that follows one with the hash h.
func HashOn(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// TextOf describes the policy's messages.
func TextOf(messages []string) (t Text) {
	var marks, words, repeated int
	var known seen
	for _, m := range messages {
		var last [phrase]uint64 // hashes of the last words
		inMessage, word, isWord := 0, uint64(fnvStart), false
		for i := range len(m) + 1 {
			c := byte(' ')
			if i < len(m) {
				c = m[i]
				t.Chars += one(c&0xc0 != 0x80)
				marks += one(isMark(c))
			}
			if c > ' ' {
				word, isWord = (word^uint64(c))*fnvPrime, true
				continue
			}
			if !isWord {
				continue
			}
			last[inMessage%phrase] = word
			word, isWord = fnvStart, false
			inMessage++
			if inMessage >= phrase && words+inMessage <= mostWords {
				h := uint64(fnvStart)
				for k := range uint64(phrase) {
					h = (h ^ last[(uint64(inMessage)+k)%phrase]) * fnvPrime
				}
				repeated += one(known.add(h))
			}
		}
		words += inMessage
		if m = strings.TrimSpace(m); m != "" {
			t.Opening, t.Ending = HashOf(m[:min(len(m), edge)]), HashOf(m[max(0, len(m)-edge):])
		}
	}
	t.Punctuation, t.Repeats = ratio(marks, t.Chars), ratio(repeated, min(words, mostWords))
	return t
}

// isMark reports whether a byte is ASCII punctuation.
func isMark(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// The surface features whose correlation with the reward is measured, by the last part of the metric's name.
const (
	featureSuccess     = "success"
	featureLength      = "length"
	featurePunctuation = "punctuation"
	featureRepeats     = "repetition"
	featureOpening     = "opening"
	featureEnding      = "ending"
)

// Numbers returns the metrics of a step about its training episodes, and marks the examples of groups.
func Numbers(episodes []Episode) map[string]float64 {
	out := map[string]float64{}
	var tokens, calls, errors, broken, judged, scored, age int
	for i := range episodes {
		e := &episodes[i]
		tokens += e.Tokens
		age = max(age, e.Age)
		broken += one(e.Malformed > 0)
		if e.Scanned {
			out[metric.Scanned]++
		}
		for id := range e.Hits {
			out[metric.Scans+id]++
		}
		judged += one(e.Success != nil)
		scored += one(e.Reward != nil)
		if e.Limit != "" {
			out[metric.CutBy+e.Limit]++
		}
		if e.Failure != "" {
			out[metric.FailedBy+e.Failure]++
		}
		for name, tool := range e.Tools {
			calls += tool.Calls
			errors += tool.Errors
			out[metric.Tools+name+metric.ToolCalls] += float64(tool.Calls)
			if tool.Errors > 0 {
				out[metric.Tools+name+metric.ToolErrors] += float64(tool.Errors)
			}
		}
	}
	if len(episodes) == 0 {
		return out
	}
	out[metric.ResponseTokens] = ratio(tokens, len(episodes))
	if age > 0 {
		out[metric.Staleness] = float64(age)
	}
	if scored > 0 {
		out[metric.Scored] = float64(scored)
	}
	if judged > 0 {
		out[metric.Judged] = float64(judged)
	}
	if calls > 0 {
		out[metric.ToolErrorRate] = ratio(errors, calls)
	}
	if broken > 0 {
		out[metric.MalformedRate] = ratio(broken, len(episodes))
	}
	correlations(out, episodes)
	answers(out, episodes)
	conversations(out, episodes)
	times(out, episodes)
	return out
}

// leastSame is the size of a group from which on equal wrong answers are unlikely to be chance.
const leastSame = 4

// leastGroups is the number of such groups from which on their share means something.
const leastGroups = 4

// answers adds the share of the groups whose samples all have the same wrong answer. An answer counts once, because a
// policy that has collapsed answers all tasks alike.
func answers(out map[string]float64, episodes []Episode) {
	type group struct {
		size    int
		answer  uint64
		differs bool
	}
	groups := map[string]group{}
	for i := range episodes {
		e := &episodes[i]
		g, known := groups[e.Group]
		g.differs = g.differs || e.Success == nil || *e.Success || e.Answer == 0 || known && e.Answer != g.answer
		g.size, g.answer = g.size+1, e.Answer
		groups[e.Group] = g
	}
	large, same := 0, map[uint64]bool{}
	for _, g := range groups {
		if g.size < leastSame {
			continue
		}
		if large++; !g.differs {
			same[g.answer] = true
		}
	}
	for i := range episodes {
		g := groups[episodes[i].Group]
		episodes[i].sameWrong = g.size >= leastSame && !g.differs
	}
	if large >= leastGroups {
		out[metric.SameWrong] = ratio(len(same), large)
	}
}

// conversations adds the share of the sets of equal conversations in a group whose rewards differ.
func conversations(out map[string]float64, episodes []Episode) {
	type key struct {
		group string
		whole uint64
	}
	sets := map[key][]*Episode{}
	for i := range episodes {
		if e := &episodes[i]; e.Text.Whole != 0 && e.Reward != nil {
			k := key{e.Group, e.Text.Whole}
			sets[k] = append(sets[k], e)
		}
	}
	all, unequal := 0, 0
	for _, set := range sets {
		differs := slices.ContainsFunc(set, func(e *Episode) bool { return *e.Reward != *set[0].Reward })
		all, unequal = all+one(len(set) > 1), unequal+one(differs)
		for _, e := range set {
			e.unequal = differs
		}
	}
	if all >= leastGroups {
		out[metric.UnequalRewards] = ratio(unequal, all)
	}
}

// times adds the distribution of the environment's and the rewards' times, and the sums of all times.
func times(out map[string]float64, episodes []Episode) {
	const seconds = 1. / 1000
	for _, part := range timed {
		list, sum, all := make([]float64, len(episodes)), 0.0, 0.0
		for i := range episodes {
			t := &episodes[i].Times
			list[i] = part.of(t) * seconds
			sum, all = sum+list[i], all+(t.Model+t.Environment+t.Reward)*seconds
		}
		if sum == 0 {
			continue
		}
		slices.Sort(list)
		name := metric.Timing + part.name
		out[name+metric.TimingP50], out[name+metric.TimingP95] = list[len(list)/2], list[len(list)*95/100]
		out[name+metric.TimingMax], out[name+metric.TimingSum] = list[len(list)-1], sum
		out[timedAll] = all
	}
	for i := range episodes {
		for tool, millis := range episodes[i].Times.Tools {
			out[metric.ToolTiming+tool+metric.TimingSum] += millis * seconds
		}
	}
}

// correlations adds how the reward within groups follows success and surface features. Features or rewards that do not
// vary have no correlation.
func correlations(out map[string]float64, episodes []Episode) {
	var scored []*Episode
	judged := true
	for i := range episodes {
		if e := &episodes[i]; e.Reward != nil {
			scored = append(scored, e)
			judged = judged && e.Success != nil
		}
	}
	rewards := centered(scored, func(e *Episode) float64 { return *e.Reward })
	opening := commonest(scored, func(e *Episode) uint64 { return e.Text.Opening })
	ending := commonest(scored, func(e *Episode) uint64 { return e.Text.Ending })
	features := map[string]func(*Episode) float64{
		featureLength:      func(e *Episode) float64 { return float64(e.Tokens) },
		featurePunctuation: func(e *Episode) float64 { return e.Text.Punctuation },
		featureRepeats:     func(e *Episode) float64 { return e.Text.Repeats },
		featureOpening:     func(e *Episode) float64 { return float64(one(e.Text.Opening == opening)) },
		featureEnding:      func(e *Episode) float64 { return float64(one(e.Text.Ending == ending)) },
	}
	if judged {
		features[featureSuccess] = func(e *Episode) float64 { return float64(one(*e.Success)) }
	}
	for name, feature := range features {
		if r, ok := correlation(rewards, centered(scored, feature)); ok {
			out[metric.RewardFollows+name] = r
		}
	}
}

// centered returns values minus the mean of their groups, so that the difficulty of tasks does not count.
func centered(episodes []*Episode, of func(*Episode) float64) []float64 {
	type sum struct {
		total float64
		n     int
	}
	groups := map[string]*sum{}
	out := make([]float64, len(episodes))
	for i, e := range episodes {
		out[i] = of(e)
		g := groups[e.Group]
		if g == nil {
			g = &sum{}
			groups[e.Group] = g
		}
		g.total += out[i]
		g.n++
	}
	for i, e := range episodes {
		g := groups[e.Group]
		out[i] -= g.total / float64(g.n)
	}
	return out
}

// leastVaried is the number of episodes from which on a correlation means something.
const leastVaried = 16

// correlation returns Pearson's coefficient of two centered lists. ok is false if a list does not vary.
func correlation(a, b []float64) (r float64, ok bool) {
	var ab, aa, bb float64
	for i := range a {
		ab += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	if len(a) < leastVaried || aa < 1e-12 || bb < 1e-12 {
		return 0, false
	}
	return ab / math.Sqrt(aa*bb), true
}

// commonest returns the most frequent hash.
func commonest(episodes []*Episode, of func(*Episode) uint64) uint64 {
	counts := map[uint64]int{}
	var best uint64
	for _, e := range episodes {
		if hash := of(e); hash != 0 {
			counts[hash]++
			if n := counts[hash]; n > counts[best] || best == 0 {
				best = hash
			}
		}
	}
	return best
}

// subjects returns the middle of the names with a prefix and a suffix, sorted.
func subjects(values map[string]float64, prefix, suffix string) (out []string) {
	for name := range values {
		rest, starts := strings.CutPrefix(name, prefix)
		subject, ends := strings.CutSuffix(rest, suffix)
		if starts && ends {
			out = append(out, subject)
		}
	}
	slices.Sort(out)
	return out
}

func ratio(part, whole int) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
