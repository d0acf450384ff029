package spec

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/endpoint"
	"github.com/awhost/awhost/sdk/schema"
)

// builtin is a block type of the host.
type builtin struct {
	schema schema.Block
	check  func(*decoder, *body) // checks beyond the schema; may be nil
}

// builtins holds the host's types by kind. Environments, rewards, adapters and all other agents come from plugins.
var builtins = map[string]map[string]builtin{
	kindDataset: datasetTypes(),
	kindModel:   {"hf": {schema: hfSchema, check: checkHF}, "openai": {schema: openAISchema, check: checkOpenAI}},
	kindAgent:   {"react": {schema: reactSchema}},
	kindSwarm:   swarmTypes(),
}

// served reports whether plugins provide types of a kind.
func served(kind string) bool { return builtins[kind] == nil || kind == kindAgent }

var hfSchema = schema.Block{
	Description: "A model in the Hugging Face layout: what is trained.",
	Attributes: []schema.Attribute{
		schema.String("path", "A directory, relative to the spec's, or the name of a model on the hub, which is looked for locally first.").Require().Example("Qwen/Qwen2.5-7B-Instruct"),
	},
}

var openAISchema = schema.Block{
	Description: "A model behind an endpoint that speaks OpenAI's protocol.",
	Attributes: []schema.Attribute{
		schema.String("base_url", "URL of the endpoint, with /v1.").Require().Example("http://localhost:8000/v1"),
		schema.String("api_key", "Key of the endpoint.").Secret(),
		schema.String("name", "Name of the model there.").Require().Example("gpt-4o-mini"),
		schema.Duration("timeout", "Most time for one message, retries included.").Default("10m"),
		schema.Integer("max_retries", "How often a request is sent again, where the server answers 429 or 5xx, or was not reached.").Default(4).Range(0, 100),
		schema.StringMap("headers", "Further headers of every request.").Secret(),
		schema.Attribute{Name: "extra_body", Type: schema.TypeAny, Description: "Further members of every request, for what only some servers know. They win over those of awhost."}.Example(map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false}}),
		schema.Bool("seed", "Send the seed of each message. Turn it off for servers that refuse it.").Default(true),
		schema.Number("temperature", "Of what it samples. Default: as the policy's.").Range(0, 2),
		schema.Number("top_p", "Nucleus of what it samples. Default: as the policy's.").Range(0, 1),
		schema.Integer("max_tokens", "Most tokens of one of its messages. Default: as the policy's.").In("tokens").
			AtLeast(1),
		schema.String("tokens", "`required`: ids and log-probabilities of tokens are recorded with the episodes as rows. "+
			"The server has to give them, which it is asked before the first episode, at the price of one message. They are "+
			"never trained. `none`: nothing is asked for.").Default("none").Enum("none", "required"),
		schema.Number("input_price", "Price of a million tokens that it reads, in US dollars.").AtLeast(0),
		schema.Number("output_price", "Price of a million tokens that it writes, in US dollars.").AtLeast(0),
		schema.Integer("max_concurrent", "Most requests under way at a time. Default: no limit.").AtLeast(1),
	},
}

var reactSchema = schema.Block{
	Description: "The built-in tool-calling loop: ask the model, carry out its calls in the environment, show it the results, until the environment is done, the model has answered or a limit is reached. Without an environment the first answer is the episode.",
	Attributes:  reactAttributes(),
}

func reactAttributes() []schema.Attribute {
	out := []schema.Attribute{schema.String("system_prompt", "text of the system message; default: none")}
	for _, a := range sdk.AgentAttributes() {
		switch a.Name {
		case "max_turns":
			a = schema.Integer(a.Name, "most messages of the model in an episode").Default(10).Range(1, 10000)
		case "max_message_tokens":
			a = a.AtLeast(1)
		case "private":
			continue // shows the model only the task's messages
		}
		out = append(out, a)
	}
	return append(out, schema.String("on_malformed", "what a tool call that cannot be parsed does: it ends the episode with "+
		"a policy failure, or the model is told and goes on").Default("end").Enum("end", "tell"))
}

// checkHF makes the path absolute if it is a directory. Otherwise the path is the name of a model on the hub.
func checkHF(d *decoder, b *body) {
	w, ok := b.attrs["path"]
	if !ok || w.value.IsNull() {
		return
	}
	plain, marks := w.value.Unmark()
	path := absolute(d.dir, plain.AsString())
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		w.value = cty.StringVal(path).WithMarks(marks)
		b.attrs["path"] = w
	}
}

// headerName is a token of RFC 9110.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkOpenAI rejects settings that allow no request, before a run starts with them.
func checkOpenAI(d *decoder, b *body) {
	check := func(name string, of func(*decoder, written)) {
		if w, ok := b.attrs[name]; ok && !w.value.IsNull() {
			of(d, w)
		}
	}
	check("base_url", checkBaseURL)
	check("name", checkModelName)
	check("timeout", checkTimeout)
	check("headers", checkHeaders)
	check("extra_body", checkExtraBody)
}

func checkBaseURL(d *decoder, w written) {
	text := unmarked(w.value).AsString()
	if u, err := url.Parse(text); err == nil && u.User != nil {
		password, _ := u.User.Password()
		d.redactor.learn(cty.StringVal(password))
	}
	if err := endpoint.CheckURL(text); err != nil {
		d.fail(w.where, "Malformed URL", "base_url: "+err.Error()+".")
	}
}

func checkModelName(d *decoder, w written) {
	if unmarked(w.value).AsString() == "" {
		d.fail(w.where, "Invalid value", "name is empty. Give the name that the server knows the model by.")
	}
}

func checkTimeout(d *decoder, w written) {
	if limit, err := time.ParseDuration(unmarked(w.value).AsString()); err == nil && limit <= 0 {
		d.fail(w.where, "Invalid value", "timeout must be more than 0.")
	}
}

func checkHeaders(d *decoder, w written) {
	for _, name := range slices.Sorted(maps.Keys(unmarked(w.value).AsValueMap())) {
		if !headerName.MatchString(name) {
			d.fail(w.at(name), "Malformed header", fmt.Sprintf("%q is no name of a header: letters, digits and -, as in "+
				"X-Team.", name))
		}
	}
}

func checkExtraBody(d *decoder, w written) {
	if t := w.value.Type(); !t.IsObjectType() && !t.IsMapType() {
		d.fail(w.where, "Wrong type", "extra_body takes the members of an object: { name = value }.")
	}
}
