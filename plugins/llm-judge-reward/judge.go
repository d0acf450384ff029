// Package llmjudgereward is the reward plugin of type "llm_judge": a language model behind any OpenAI-compatible
// endpoint judges episodes by a rubric.
//
//	reward "llm_judge" "quality" {
//	  base_url = "http://localhost:8000/v1"
//	  name     = "Qwen/Qwen2.5-72B-Instruct"
//	  criterion "correct" {
//	    text   = "The answer is right."
//	    weight = 3
//	  }
//	  criterion "brief" { text = "It has no more than two sentences." }
//	}
//
// An item is judged in these steps:
//
//	prompt.go    the judge's input: the rubric, and the policy's output as data
//	vote.go      one vote: from the cache, or requested, with retries for invalid verdicts
//	form.go      the form of a verdict: by a JSON Schema, by a tool, or by text
//	verdict.go   an answer as a verdict, or as an error
//	combine.go   the votes as numbers
//	budget.go    the budget and the expenses
//	cache.go     verdicts by all of their inputs
//	jsonlines.go the files of the budget and the cache
//
// An item that cannot be judged is a failure, never a zero. The transcript is data: its text cannot end its block, and
// it cannot contain a valid verdict, because a verdict contains an ID that is a digest of the transcript.
//
// The package does not depend on the host, trainers or the way episodes run.
package llmjudgereward

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: one reward of type "llm_judge".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "llm_judge",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type: "llm_judge",
				Description: "A language model scores an episode against a rubric: the score is the " +
					"weighted mean of the criteria.",
				Schema:              configSchema(),
				Components:          []string{componentVotes, componentSpread},
				ComponentsAttribute: "criterion",
				Metrics: []string{
					metricCalls, metricPromptTokens, metricOutputTokens, metricCost, metricRemembered, metricUnreadable,
				},
				Validate: validate,
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize: 32, ModelJudge: true, TruthOptional: true,
				Needs: []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript},
			},
			New: newReward,
		}},
	}
}

// Names of a score's components and a call's metrics, in addition to the criteria.
const (
	componentVotes  = "votes"
	componentSpread = "spread"

	metricCalls        = "judge_calls"
	metricPromptTokens = "judge_prompt_tokens"
	metricOutputTokens = "judge_output_tokens"
	metricCost         = "judge_cost_usd"
	metricRemembered   = "judge_remembered"
	metricUnreadable   = "judge_unreadable"
)

// maxVotes limits the number of votes so that all their notes fit in the size that is recorded.
const maxVotes = 25

func configSchema() schema.Block {
	return schema.Block{
		Description: "The model assigns an integer score for each criterion.",
		Attributes:  slices.Concat(endpointAttributes(), judgingAttributes(), limitAttributes()),
		Blocks: []schema.NestedBlock{{
			Name: "criterion", Nesting: schema.Map, Min: 1,
			Block: schema.Block{
				Description: "A rubric criterion. Its label is a component of the score.",
				Attributes: []schema.Attribute{
					schema.String("text", "Description of the criterion, in one or more "+
						"sentences.").Require().Example("The answer is right."),
					schema.Number("weight", "Weight in the mean.").Default(1).AtLeast(0),
				},
			},
		}},
	}
}

// judgingAttributes returns the attributes that concern the judged text and the votes.
func judgingAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("judges", "The judge's input: the final `answer`, or the `transcript` without thoughts.").
			Default(readAnswer).Enum(readAnswer, readTranscript),
		schema.Bool("show_ground_truth", "Whether to send the private part of the task to the endpoint.").
			Default(false),
		schema.String("instructions", "Additional instructions after the rubric."),
		schema.Integer("scale", "Points per criterion. 1 means that the model is asked for yes or "+
			"no.").Default(10).Range(1, 100),
		schema.Integer("votes", "Number of votes per episode.").Default(1).Range(1, maxVotes),
		schema.String("combine", "How the votes per criterion are combined: `mean`, `median`, or `majority`, with "+
			"ties going to the lower value.").
			Default(combineMean).Enum(combineMean, combineMedian, combineMajority),
		schema.Number("success", "Minimum score for a success. Default: success is undetermined.").Range(0, 1),
		schema.Integer("longest", "Maximum length of the input. Longer episodes are not sent.").
			In("characters").Default(200_000).AtLeast(1),
		schema.Number("too_long", "Score of an episode that is longer than `longest`. Default: a failure."),
		schema.String("form", "Constraint on the verdict's format: a JSON `schema`, a `tool`, or `text`. `auto` "+
			"uses the first one that the server accepts.").
			Default(formAuto).Enum(formAuto, formSchema, formTool, formText),
	}
}

// limitAttributes returns the attributes that limit the judge's calls.
func limitAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Integer("tries", "Maximum number of attempts per vote, after invalid verdicts or connection errors.").
			Default(3).Range(1, 20),
		schema.Integer("max_calls", "Maximum number of calls in a run. When the limit is reached, the run stops and "+
			"can be resumed with a higher limit.").
			AtLeast(1).CanResume(),
		schema.Number("max_cost", "Maximum cost of a run, calculated from the prices. When the limit is reached, "+
			"the run stops and can be resumed with a higher limit.").In("US dollars").AtLeast(0).CanResume(),
		schema.Bool("remember", "Whether to cache identical votes, even across restarts.").Default(true),
		schema.Path("memory", "A cache directory shared by several runs. Default: the run's folder."),
	}
}

// endpointAttributes returns the attributes that have the same meaning as in a `model "openai"` block.
func endpointAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("base_url", "Endpoint URL, including /v1.").Require().Example("http://localhost:8000/v1"),
		schema.String("api_key", "API key.").Secret(),
		schema.String("name", "Model name at the endpoint.").Require().Example("Qwen/Qwen2.5-72B-Instruct"),
		schema.Duration("timeout", "Timeout for one attempt, including retries of failed requests.").Default("1m"),
		schema.Integer("max_retries", "Maximum number of times a request is retried after status 429 or 5xx or a "+
			"connection error.").
			Default(4).Range(0, 100),
		schema.StringMap("headers", "Additional headers for every request.").Secret(),
		schema.Attribute{
			Name: "extra_body", Type: schema.TypeAny,
			Description: "Additional members for every request, which override awhost's.",
		}.Example(map[string]any{"reasoning_effort": "low"}),
		schema.Bool("seed", "Whether to send a seed derived from the transcript and the vote. Some servers reject it.").
			Default(true),
		schema.Number("temperature", "Sampling temperature.").Default(0).Range(0, 2),
		schema.Number("top_p", "Nucleus sampling probability.").Range(0, 1),
		schema.Integer("max_tokens", "Maximum number of tokens in a verdict, including "+
			"thoughts.").In("tokens").Default(2048).AtLeast(16),
		schema.Number("input_price", "Price per million input tokens, in US dollars.").AtLeast(0),
		schema.Number("output_price", "Price per million output tokens, in US dollars.").AtLeast(0),
		schema.Integer("max_concurrent", "Maximum number of concurrent requests.").Default(32).Range(1, 4096),
	}
}

// config is the body of a reward "llm_judge" block.
type config struct {
	openai.Settings

	Criteria     map[string]criterion `json:"criterion"`
	Judges       string               `json:"judges"`
	ShowTruth    bool                 `json:"show_ground_truth"`
	Instructions string               `json:"instructions"`
	Scale        int                  `json:"scale"`
	Votes        int                  `json:"votes"`
	Combine      string               `json:"combine"`
	Success      *float64             `json:"success"`
	Longest      int                  `json:"longest"`
	TooLong      *float64             `json:"too_long"`
	Form         string               `json:"form"`
	Tries        int                  `json:"tries"`
	MaxCalls     int                  `json:"max_calls"`
	MaxCost      *float64             `json:"max_cost"`
	Remember     bool                 `json:"remember"`
	Memory       string               `json:"memory"`
}

type criterion struct {
	Text   string  `json:"text"`
	Weight float64 `json:"weight"`
}

// names returns the sorted names of the criteria, which determine the order of all output about them.
func (c *config) names() []string { return slices.Sorted(maps.Keys(c.Criteria)) }

// cost returns the price of the tokens, or 0 if no prices are set.
func (c *config) cost(input, output int) float64 {
	reads, writes := c.Prices()
	return (reads*float64(input) + writes*float64(output)) / 1e6
}

// componentName matches names that an expression in a spec can use.
var componentName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// validate reports mistakes that the schema does not detect. Members that are not yet known are absent.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c config
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil // the schema reports mismatches
	}
	var out []sdk.Diagnostic
	wrong := func(summary, detail string, path ...string) {
		out = append(out, sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path})
	}
	if c.BaseURL != "" {
		if err := openai.CheckURL(c.BaseURL); err != nil {
			wrong("Malformed URL", "base_url: "+err.Error()+".", "base_url")
		}
	}
	if limit, err := time.ParseDuration(c.Timeout); err == nil && limit <= 0 {
		wrong("Invalid value", "timeout must be greater than 0.", "timeout")
	}
	c.checkCriteria(raw, wrong)
	if c.MaxCost != nil && c.InputPrice == nil && c.OutputPrice == nil {
		wrong("Budget without prices", "max_cost requires the prices of tokens. Set input_price and output_price.",
			"max_cost")
	}
	if c.Votes > 1 && (c.Temperature == nil || *c.Temperature == 0) {
		out = append(out, sdk.Diagnostic{
			Severity: sdk.SeverityWarning, Summary: "Identical votes", Path: []string{"votes"},
			Detail: "At temperature 0, all votes are identical, yet each one costs money. Set a temperature such as " +
				"0.7, or votes = 1.",
		})
	}
	return out
}

// checkCriteria reports criteria whose names conflict with other components of a score, or whose total weight is 0.
func (c *config) checkCriteria(raw json.RawMessage, wrong func(summary, detail string, path ...string)) {
	total := 0.0
	for _, name := range c.names() {
		total += c.Criteria[name].Weight
		switch {
		case !componentName.MatchString(name):
			wrong("Invalid criterion name", fmt.Sprintf("%q is not a component name. Use lower-case letters, digits, "+
				"and _, as in no_errors.", name), "criterion", name)
		case name == componentVotes || name == componentSpread:
			wrong("Reserved name", fmt.Sprintf("Each score has a component %s. Rename the criterion.", name),
				"criterion", name)
		}
	}
	if len(c.Criteria) > 0 && total == 0 && hasKnownWeights(raw) {
		wrong("No weight", "A mean requires a weight above 0, but no criterion has one. Remove weight, or increase one.",
			"criterion")
	}
}

// hasKnownWeights reports whether all weights in a configuration are known.
func hasKnownWeights(raw json.RawMessage) bool {
	var c struct {
		Criteria map[string]map[string]json.RawMessage `json:"criterion"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return false
	}
	for _, of := range c.Criteria {
		if of["weight"] == nil {
			return false
		}
	}
	return true
}

// newReward opens the judge's memory and expenses.
func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	var c config
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	asking, err := c.Config()
	if err != nil {
		return nil, fmt.Errorf("timeout: %w", err)
	}
	server, err := openai.New(asking)
	if err != nil {
		return nil, err
	}
	r := &reward{config: c, server: server, log: setup.Log}
	if r.budget, err = openBudget(filepath.Join(setup.Dir, "spent.jsonl"), c.MaxCalls, c.MaxCost); err != nil {
		return nil, err
	}
	if c.Remember {
		folder := c.Memory
		if folder == "" {
			folder = setup.Dir
		}
		if r.cache, err = openVerdictCache(filepath.Join(folder, "verdicts.jsonl"), setup.Log); err != nil {
			return nil, err
		}
	}
	return r, nil
}
