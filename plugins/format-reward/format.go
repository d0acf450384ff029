// Package formatreward is the reward plugin of type "format": it scores the form of the assistant's text using a
// regular expression, a sequence of tags, or both.
//
//	reward "format" "tags" {
//	  tags = ["think", "answer"]             # <think>…</think><answer>…</answer> and nothing else
//	}
//	reward "format" "aworld" {
//	  pattern         = "<answer>[\\s\\S]*?</answer>"
//	  score_matched   = 0.1
//	  score_unmatched = 0
//	}
//
// It judges only the form: it needs no ground truth and gives a right and a wrong answer the same score. It is usually
// a small part of a sum, or the reward of a first stage. rule.go implements the decision; this file describes and
// registers it.
//
// The package does not depend on the host, trainers or the way episodes run.
package formatreward

import (
	"context"
	"encoding/json"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: one reward of type "format".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "format",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "format",
				Description: "One score if the assistant's text has the required form, and another if it does not.",
				Schema:      configSchema(),
				Components:  []string{"pattern", "tags"},
				Validate:    validate,
			},
			Capabilities: sdk.RewardCapabilities{BatchSize: 256, Needs: []sdk.Need{sdk.NeedTranscript}},
			New:          newReward,
		}},
	}
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "`pattern`, `tags`, or both define the form. If both are set, both must match.",
		Attributes: []schema.Attribute{
			schema.String("pattern", "Regular expression (RE2) that must match anywhere in the text; ^ and $ match its ends.").
				Default("").Example(`<answer>[\s\S]*?</answer>`),
			schema.Strings("tags", "Names of tags that must each be opened and closed exactly once, in this order, "+
				"with text in between.").
				Default([]string{}).Example([]string{"think", "answer"}),
			schema.Bool("allow_text_outside", "Whether text other than whitespace is allowed outside the "+
				"tags.").Default(false),
			schema.String("scope", "`final`: the last assistant message must have the form. `all`: every assistant message "+
				"must have it.").
				Default(string(scopeFinal)).Enum(string(scopeFinal), string(scopeAll)),
			schema.Number("score_matched", "Score for text that has the form.").Default(1),
			schema.Number("score_unmatched", "Score for other text.").Default(0),
		},
	}
}

// config is the body of a reward "format" block.
type config struct {
	Pattern          string   `json:"pattern"`
	Tags             []string `json:"tags"`
	AllowTextOutside bool     `json:"allow_text_outside"`
	Scope            scope    `json:"scope"`
	ScoreMatched     float64  `json:"score_matched"`
	ScoreUnmatched   float64  `json:"score_unmatched"`
}

// scope selects the messages that must have the form.
type scope string

const (
	scopeFinal scope = "final"
	scopeAll   scope = "all"
)

// defaults returns the configuration for an empty block, as in the schema.
func defaults() config { return config{Scope: scopeFinal, ScoreMatched: 1} }

// validate reports the errors that newReward returns. Both attributes have an empty default, so it is not yet known
// whether an attribute is missing.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c := defaults()
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Unreadable configuration", Detail: err.Error()}}
	}
	_, problems := newRule(c)
	if isKnown(raw, "pattern") && isKnown(raw, "tags") {
		problems = append(problems, c.checkAnyRule()...)
	}
	return problems
}

func isKnown(raw json.RawMessage, attribute string) bool {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return false
	}
	_, known := values[attribute]
	return known
}

// reward applies one rule to every item. It keeps no state between calls.
type reward struct {
	rule   rule
	config config
}

func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := defaults()
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	rule, problems := newRule(c)
	if problems = append(problems, c.checkAnyRule()...); len(problems) > 0 {
		return nil, asError(problems)
	}
	return sdk.ScoredFunc((&reward{rule: rule, config: c}).scoreItem), nil
}

func (r *reward) scoreItem(item sdk.ScoreItem) sdk.Scored {
	form := r.rule.judge(texts(r.config.Scope, item))
	matched := form.pattern && form.tags
	score := r.config.ScoreUnmatched
	if matched {
		score = r.config.ScoreMatched
	}
	return sdk.Scored{
		Score:      score,
		IsSuccess:  &matched,
		Components: map[string]float64{"pattern": sdk.Flag(form.pattern), "tags": sdk.Flag(form.tags)},
	}
}

// texts returns the strings that must have the form, one for each policy message in scope. An item without messages, as
// in offline scoring of answers, counts as a single string.
func texts(s scope, item sdk.ScoreItem) []string {
	if len(item.Messages) == 0 {
		return []string{item.FinalAnswer}
	}
	var all []string
	for _, message := range item.Written() {
		all = append(all, written(message))
	}
	if s == scopeFinal && len(all) > 0 {
		return all[len(all)-1:]
	}
	return all
}

// written returns the text of an assistant message. Thoughts that the model's format separates from the content are
// put back in front of it. Tool calls are not part of the text.
func written(message sdk.Message) string {
	if message.Reasoning == "" {
		return message.Content
	}
	return "<think>" + message.Reasoning + "</think>" + message.Content
}
