package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// builtin is a block type that the host itself owns.
type builtin struct {
	schema schema.Block
	check  func(*decoder, *body) // beyond the schema; nil: nothing
}

// builtins are the host's own types by kind. Environments, rewards and adapters are plugins; all others are here.
var builtins = map[string]map[string]builtin{
	kindDataset: {"jsonl": {schema: jsonlSchema, check: checkJSONL}},
	kindModel:   {"hf": {schema: hfSchema, check: checkHF}, "openai": {schema: openAISchema}},
	kindAgent:   {"react": {schema: reactSchema}},
}

var jsonlSchema = schema.Block{
	Description: "Tasks from a file with one JSON object per line.",
	Attributes: []schema.Attribute{
		schema.Path("path", "The file.").Require().Example("data/train.jsonl"),
		schema.StringMap("map", "Which field of a line a field of the task comes from. Fields of a task: prompt or messages, ground_truth, id, and any other. By default a task's prompt is prompt or question, its ground truth ground_truth or answer.").
			Example(map[string]string{"prompt": "question", "ground_truth": "answer"}),
		schema.StringMap("extract", "A regular expression with one group per field of the task: the group is what remains of the field's text.").
			Example(map[string]string{"ground_truth": "#### (.*)"}),
		schema.Strings("private", "Fields of the task that only rewards and environments see that declare that they need them.").Default([]string{"ground_truth"}),
		integer("limit", "Take only this many lines, from the first on. Default: all.").AtLeast(1),
	},
}

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
	},
}

var reactSchema = schema.Block{
	Description: "The built-in tool-calling loop: ask the model, carry out its calls in the environment, show it the results, until the environment is done, the model has answered or a limit is reached. Without an environment the first answer is the episode.",
	Attributes: []schema.Attribute{
		schema.String("system_prompt", "Text of the system message. Default: none."),
		schema.Reference("environment", kindEnvironment, "Where the agent acts. Default: nowhere."),
		schema.Strings("tools", "The tools that the agent may use, as patterns: \"*\", \"calculator_*\", \"server/tool\".").Default([]string{"*"}),
		integer("max_turns", "Most assistant messages of an episode.").Default(10).Range(1, 10000),
		integer("max_message_tokens", "Most tokens of one assistant message. Default: what the trainer's limits say.").In("tokens").AtLeast(1),
		schema.String("on_malformed", "What a tool call that cannot be parsed does: it ends the episode with a policy failure, or the model is told and goes on.").Default("end").Enum("end", "tell"),
		schema.Reference("model", kindModel, "A served model that answers instead of the policy; its messages are not trained."),
	},
}

func checkJSONL(d *decoder, b *body) {
	d.checkDataFile(b)
	d.checkExtract(b)
	if w, ok := b.attrs["map"]; ok && !w.value.IsNull() {
		for _, name := range slices.Sorted(maps.Keys(unmarked(w.value).AsValueMap())) {
			if name == "" {
				d.fail(w.where, "Invalid value", "map has a field of the task without a name.")
			}
		}
	}
}

// checkDataFile looks whether the data is there, so that a wrong path is reported where it was written.
func (d *decoder) checkDataFile(b *body) {
	w, ok := b.attrs["path"]
	if !ok || w.value.IsNull() {
		return
	}
	path := unmarked(w.value).AsString()
	shown := path
	if relative, err := filepath.Rel(d.dir, path); err == nil && filepath.IsLocal(relative) {
		shown = filepath.ToSlash(relative)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.fail(w.where, "Missing file", fmt.Sprintf("There is no %s%s. A relative path starts at the directory of the spec, %s.", shown, nearbyFile(d.dir, filepath.FromSlash(shown)), d.dir))
	case err != nil:
		d.fail(w.where, "Unreadable file", fmt.Sprintf("%s.", err))
	case info.IsDir():
		d.fail(w.where, "Not a file", fmt.Sprintf("%s is a directory; a jsonl dataset is one file.", shown))
	}
}

func (d *decoder) checkExtract(b *body) {
	w, ok := b.attrs["extract"]
	if !ok || w.value.IsNull() {
		return
	}
	patterns := unmarked(w.value).AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(patterns)) {
		if patterns[name].IsNull() {
			continue
		}
		pattern, err := regexp.Compile(patterns[name].AsString())
		switch {
		case err != nil:
			d.fail(w.where, "Malformed regular expression", fmt.Sprintf("extract.%s: %s.", name, err))
		case pattern.NumSubexp() != 1:
			d.fail(w.where, "Malformed regular expression", fmt.Sprintf("extract.%s has %d groups; it must have one, in parentheses: what remains of the text.", name, pattern.NumSubexp()))
		}
	}
}

// checkHF makes the path absolute where it is a directory; otherwise it is the name of a model on the hub.
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
