// Package cosinereward is the reward plugin of type "cosine": it scores the similarity between the words in an answer
// and those in the ground truth, from 0 to 1, as the cosine of the angle between their bags of words.
//
//	reward "cosine" "overlap" {
//	  compatibility = "corrected"   # the default; "reference" has the scores of AWorld's default reward
//	}
//
// It measures texts that can be phrased in many ways. It does not determine whether an answer is right or wrong: the
// words of "not 3" and "3" are similar. README.md lists the differences between the modes.
//
// The package does not depend on the host, trainers, or the way in which episodes run.
package cosinereward

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/pytext"
	"github.com/awhost/awhost/sdk/schema"
)

// compatibility selects the scores that a reward produces.
type compatibility string

const (
	// corrected scores the final answer.
	corrected compatibility = "corrected"
	// reference reproduces the scores of AWorld's verl_default_reward_func, which reads the entire response.
	reference compatibility = "reference"
)

// Plugin describes the plugin: one reward of type "cosine".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "cosine",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "cosine",
				Description: "Similarity of the words of the answer and the ground truth, from 0 to 1.",
				Schema:      configSchema(),
				Components:  []string{"answer_words", "truth_words", "shared_words"},
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize:  256,
				Needs:      []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript},
				TruthTypes: []string{"string"},
			},
			New: sdk.ConfiguredReward(config{corrected}, config.score),
		}},
	}
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "The score is the cosine similarity of their word counts.",
		Attributes: []schema.Attribute{
			schema.String("compatibility", "`corrected` scores the final answer. `reference` scores the entire "+
				"response, as AWorld's default reward does.").
				Default(string(corrected)).Enum(string(corrected), string(reference)),
		},
	}
}

// config is the body of a reward "cosine" block.
type config struct {
	Compatibility compatibility `json:"compatibility"`
}

func (c config) score(item sdk.ScoreItem) (sdk.Scored, error) {
	text := answertext.Response(item)
	if c.Compatibility == corrected {
		text = answertext.Answer(item)
	}
	return answertext.Score(item.Task, func(truth any) (sdk.Scored, error) { return c.Compatibility.compare(text, truth) })
}

func (mode compatibility) compare(text string, truth any) (sdk.Scored, error) {
	want, isString := truth.(string)
	if !isString {
		return sdk.Scored{}, fmt.Errorf("the task's ground_truth must be a string, not %s", answertext.TypeName(truth))
	}
	answers, wants := bagOf(text), bagOf(want)
	if mode == corrected && len(wants) == 0 {
		return sdk.Scored{}, errors.New("the task's ground_truth contains no words: similarity is undefined")
	}
	score := answers.cosine(wants)
	if len(answers) == 0 && len(wants) == 0 && text == want {
		score = 1
	}
	return sdk.Scored{Score: score, Components: map[string]float64{
		"answer_words": answers.words(), "truth_words": wants.words(), "shared_words": answers.shared(wants),
	}}, nil
}

// bag counts words.
type bag map[string]int

// bagOf counts the words in a string in lowercase. A word is a match of Python's regular expression \w+: letters,
// numbers, and underscores, so "don't" contains two words.
func bagOf(text string) bag {
	b := bag{}
	for _, word := range strings.FieldsFunc(pytext.Lower(text), func(r rune) bool { return !pytext.IsWord(r) }) {
		b[word]++
	}
	return b
}

// cosine returns the dot product divided by the product of the lengths, clamped to the range from 0 to 1 to compensate
// for rounding errors. It is computed as in Python: the sums are integers, which a float represents exactly if they are
// below 2^53.
func (b bag) cosine(other bag) float64 {
	if len(b) == 0 || len(other) == 0 {
		return 0
	}
	dot := 0
	for word, n := range b {
		dot += n * other[word]
	}
	return min(1, float64(dot)/(b.length()*other.length()))
}

func (b bag) length() float64 {
	squares := 0
	for _, n := range b {
		squares += n * n
	}
	return math.Sqrt(float64(squares))
}

func (b bag) words() float64 {
	sum := 0
	for _, n := range b {
		sum += n
	}
	return float64(sum)
}

// shared returns the number of distinct words that both contain.
func (b bag) shared(other bag) float64 {
	n := 0
	for word := range b {
		if other[word] > 0 {
			n++
		}
	}
	return float64(n)
}
