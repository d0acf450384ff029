package pythonplugin

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// target selects the Python interpreter, the file and the object. Rewards and agents share it.
type target struct {
	File      string                     `json:"file"`
	Name      string                     `json:"name"`
	Python    string                     `json:"python"`
	Venv      string                     `json:"venv"`
	Arguments map[string]json.RawMessage `json:"arguments"`
}

func targetAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Path("file", "Python file, which is run in its own directory.").Exist().Require().Example("rewards.py"),
		schema.String("name", "The function or class in the file; `Class.method` for a static "+
			"method.").Require().Example("compute_score"),
		schema.Path("python", "Python interpreter. Default: from `venv`, VIRTUAL_ENV, or "+
			"PATH, in this order.").Example(".venv/bin/python").CanResume(),
		schema.Path("venv", "Virtual environment, used if it exists and `python` is not set.").Default(".venv").CanResume(),
		{Name: "arguments", Type: schema.TypeAny, Description: "Constant arguments for the function or " +
			"constructor, by parameter name.", ExampleJSON: json.RawMessage(`{"threshold":0.5}`)},
	}
}

// rewardConfig is the body of a reward "python" block.
type rewardConfig struct {
	target
	Workers     int      `json:"workers"`
	Concurrency int      `json:"concurrency"`
	Timeout     string   `json:"timeout"`
	Batch       int      `json:"batch"`
	Completions string   `json:"completions"`
	Components  []string `json:"components"`
	Retryable   []string `json:"retryable"`

	timeout time.Duration
}

func rewardSchema() schema.Block {
	return schema.Block{
		Description: "It receives the arguments that its parameters name, and returns a number, a bool, or a dict " +
			"with \"score\".",
		Attributes: append(targetAttributes(),
			schema.Integer("workers", "Number of Python processes for scoring.").Default(1).Range(1,
				256).In("processes").CanResume(),
			schema.Integer("concurrency", "Maximum number of concurrent calls to an `async` function per "+
				"process.").Default(16).Range(1, batchSize).In("calls").CanResume(),
			schema.Duration("timeout", "Maximum duration of a call. After that, an `async` function is canceled; "+
				"for any other function, its process is replaced.").Default("30s").CanResume(),
			schema.Integer("batch", "Maximum number of items per call, for a function that takes lists and returns "+
				"a list; 0 means one item per call.").Default(0).Range(0, batchSize).In("items").CanResume(),
			schema.String("completions", "Format of `prompts` and `completions` for a TRL function: `messages`, as "+
				"in conversational datasets, or `text`.").Default("messages").Enum("messages", "text"),
			schema.Strings("components", "Names in the returned dict that reward expressions may use. All must be "+
				"present.").Example([]string{"acc"}),
			schema.Strings("retryable", "Class names of exceptions after which scoring is retried. Exceeding the "+
				"time limit counts as TimeoutError.").Default([]string{"ConnectionError", "TimeoutError"}).CanResume(),
		),
	}
}

// readReward decodes a body. It returns the problems that the schema cannot detect.
func readReward(config json.RawMessage) (*rewardConfig, []sdk.Diagnostic) {
	c := &rewardConfig{}
	if err := sdk.DecodeConfig(config, c); err != nil {
		return nil, []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Invalid configuration", Detail: err.Error()}}
	}
	var problems []sdk.Diagnostic
	fail := func(attribute, summary, detail string) {
		problems = append(problems, sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail,
			Path: []string{attribute}})
	}
	if c.Timeout != "" {
		var err error
		if c.timeout, err = time.ParseDuration(c.Timeout); err != nil || c.timeout <= 0 {
			fail("timeout", "Invalid timeout", "Set a duration above 0, such as 30s.")
		}
		c.timeout = limit(c.timeout)
	}
	seen := map[string]bool{}
	for _, name := range c.Components {
		switch {
		case name == "score" || name == "is_success":
			fail("components", "Reserved name", fmt.Sprintf("%q in the returned dict is not a component. Remove it.", name))
		case name == "" || len(name) > 100 || seen[name]:
			fail("components", "Invalid name", fmt.Sprintf("%q is empty, too long, or listed twice.", name))
		}
		seen[name] = true
	}
	return c, problems
}

// members returns the shared part of a load call, as the contents of a JSON object without the braces.
func (t *target) members(s *source, known []string) ([]byte, error) {
	arguments := t.Arguments
	if arguments == nil {
		arguments = map[string]json.RawMessage{}
	}
	text, err := json.Marshal(struct {
		Path      string                     `json:"path"`
		Name      string                     `json:"name"`
		Source    []byte                     `json:"source"` // base64
		Arguments map[string]json.RawMessage `json:"arguments"`
		Known     []string                   `json:"known"`
	}{s.path, t.Name, s.text, arguments, known})
	return []byte(strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "}")), err
}
