package spec

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
	"github.com/awhost/awhost/sdk/schema"
)

// builtin is a block type that the host provides.
type builtin struct {
	schema schema.Block
	check  func(*decoder, *body) // checks beyond the schema; may be nil
}

// builtins holds the host's types, keyed by kind. Environments, rewards, adapters and all other agents come from
// plugins.
var builtins = map[string]map[string]builtin{
	kindDataset: datasetTypes(),
	kindModel:   {"hf": {schema: hfSchema, check: checkHF}, "openai": {schema: openAISchema, check: checkOpenAI}},
	kindAgent:   {"react": {schema: reactSchema}},
	kindSwarm:   swarmTypes(),
}

// served reports whether plugins provide types of a kind.
func served(kind string) bool { return builtins[kind] == nil || kind == kindAgent }

var hfSchema = schema.Block{
	Description: "The model to train, in the Hugging Face layout.",
	Attributes: []schema.Attribute{
		schema.String("path", "A directory, or otherwise the name of a model on the Hugging Face Hub.").Require().
			Example("Qwen/Qwen2.5-7B-Instruct"),
	},
}

var openAISchema = schema.Block{
	Description: "A model served by an OpenAI-compatible endpoint.",
	Attributes: []schema.Attribute{
		schema.String("base_url", "Endpoint URL, including /v1.").Require().Example("http://localhost:8000/v1"),
		schema.String("api_key", "API key.").Secret(),
		schema.String("name", "Model name at the endpoint.").Require().Example("gpt-4o-mini"),
		schema.Duration("timeout", "Timeout for one message, including retries.").Default("10m"),
		schema.Integer("max_retries", "Maximum number of times a request is retried after status 429 or 5xx or a "+
			"connection error.").
			Default(4).Range(0, 100),
		schema.StringMap("headers", "Additional headers for every request.").Secret(),
		schema.Attribute{Name: "extra_body", Type: schema.TypeAny,
			Description: "Additional members for every request, which override awhost's."}.
			Example(map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false}}),
		schema.Bool("seed", "Whether to send a seed for each message. Some servers reject it.").Default(true),
		schema.Number("temperature", "Sampling temperature. Default: the policy's.").Range(0, 2),
		schema.Number("top_p", "Nucleus sampling probability. Default: the policy's.").Range(0, 1),
		schema.Integer("max_tokens", "Maximum number of tokens per message. Default: the policy's.").In("tokens").
			AtLeast(1),
		schema.String("tokens", "`required`: record token ids and log-probabilities, as rows that are never "+
			"trained. awhost checks whether the server supports this before the first episode, at the cost of one "+
			"message. `none`: do not request them.").Default("none").Enum("none", "required"),
		schema.String("tool_format", "Format of tool calls in text, as in adapters. Needs tokenizer. Default: auto."),
		schema.String("tokenizer", "Tokenizer's directory, or a name in transformers' cache, to read tool calls in "+
			"text. Needs python.").Example("Qwen/Qwen3-8B"),
		schema.String("python", "Python with transformers, and renderers for most formats.").Example("venv/bin/python"),
		schema.Number("input_price", "Price per million input tokens, in US dollars.").AtLeast(0),
		schema.Number("output_price", "Price per million output tokens, in US dollars.").AtLeast(0),
		schema.Integer("max_concurrent", "Maximum number of concurrent requests. Default: no limit.").AtLeast(1),
	},
}

var reactSchema = schema.Block{
	Description: "The built-in tool-calling loop. It ends when the environment is done, the model answers, or a " +
		"limit is reached. Without an environment, the first answer ends the episode.",
	Attributes: reactAttributes(),
}

func reactAttributes() []schema.Attribute {
	out := []schema.Attribute{schema.String("system_prompt", "Text of the system message.")}
	for _, a := range sdk.AgentAttributes() {
		switch a.Name {
		case "max_turns":
			a = schema.Integer(a.Name, "Maximum number of model messages per episode.").Default(10).Range(1, 10000)
		case "max_message_tokens":
			a = a.AtLeast(1)
		case "private":
			continue // shows the model only the task's messages
		}
		out = append(out, a)
	}
	return append(out, schema.String("on_malformed", "Handling of an invalid tool call: `end` the episode with a "+
		"policy failure, or return the error to the model (`tell`).").Default("end").Enum("end", "tell"))
}

// checkHF makes the path absolute if it is a directory. Otherwise, the path is the name of a model on the hub.
func checkHF(d *decoder, b *body) { resolveDirectory(d, b, "path") }

func resolveDirectory(d *decoder, b *body, name string) {
	w, ok := b.attrs[name]
	if !ok || w.value.IsNull() {
		return
	}
	plain, marks := w.value.Unmark()
	path := absolute(d.dir, plain.AsString())
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		w.value = cty.StringVal(path).WithMarks(marks)
		b.attrs[name] = w
	}
}

// headerName matches a token as defined in RFC 9110.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkOpenAI rejects settings that do not allow any requests, before a run starts with them.
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
	checkTextReader(d, b)
}

// checkTextReader makes the paths of the tokenizer and its Python absolute, and rejects settings that read nothing.
func checkTextReader(d *decoder, b *body) {
	format, tokenizer, python := text(b, "tool_format"), text(b, "tokenizer"), text(b, "python")
	const remedy = "Set tokenizer to the model's directory and python to an interpreter with transformers, or start the " +
		"server with its tool parser (SGLang and vLLM: --tool-call-parser NAME)"
	switch {
	case tokenizer == "" && format != "" && format != "auto":
		d.fail(b.attrs["tool_format"].where, "Tool format without a tokenizer", fmt.Sprintf(
			"tool_format = %q needs the model's chat template. %s, and remove tool_format.", format, remedy))
	case tokenizer == "" && python != "":
		d.fail(b.attrs["python"].where, "Python without a tokenizer", "python reads text with the model's tokenizer. "+
			remedy+", and remove python.")
	case tokenizer != "" && python == "":
		d.fail(b.attrs["tokenizer"].where, "Tokenizer without a Python", "The tokenizer needs an interpreter with "+
			"transformers. Set python: python = \"venv/bin/python\".")
	}
	resolveDirectory(d, b, "tokenizer")
	if w := b.attrs["python"]; strings.ContainsRune(python, filepath.Separator) {
		w.value = cty.StringVal(absolute(d.dir, python)).WithMarks(w.value.Marks())
		b.attrs["python"] = w
	}
}

func checkBaseURL(d *decoder, w written) {
	text := unmarked(w.value).AsString()
	if u, err := url.Parse(text); err == nil && u.User != nil {
		password, _ := u.User.Password()
		d.redactor.learn(cty.StringVal(password))
	}
	if err := openai.CheckURL(text); err != nil {
		d.fail(w.where, "Malformed URL", "base_url: "+err.Error()+".")
	}
}

func checkModelName(d *decoder, w written) {
	if unmarked(w.value).AsString() == "" {
		d.fail(w.where, "Invalid value", "name is empty. Give the model name that the server uses.")
	}
}

func checkTimeout(d *decoder, w written) {
	if limit, err := time.ParseDuration(unmarked(w.value).AsString()); err == nil && limit <= 0 {
		d.fail(w.where, "Invalid value", "timeout must be greater than 0.")
	}
}

func checkHeaders(d *decoder, w written) {
	for _, name := range slices.Sorted(maps.Keys(unmarked(w.value).AsValueMap())) {
		if !headerName.MatchString(name) {
			d.fail(w.at(name), "Malformed header", fmt.Sprintf("%q is not a header name. Use letters, digits, and -, as in "+
				"X-Team.", name))
		}
	}
}

func checkExtraBody(d *decoder, w written) {
	if t := w.value.Type(); !t.IsObjectType() && !t.IsMapType() {
		d.fail(w.where, "Wrong type", "extra_body takes an object: { name = value }.")
	}
}
