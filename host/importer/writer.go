package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

// writer writes one spec.
type writer struct {
	config  *config
	options Options
	file    *hclwrite.File
	reader  string // task_reader.type
	err     error  // the first error

	environment string // reference; empty: no environment
	datasets    [2]string
	reward      string // expression
	success     string // expression; empty: the workflow's own, or the only reward's
	firstReward string // the block of its first term

	private []string          // private columns of the data
	lost    map[string]string // by key: the reason why its value has no counterpart
	read    map[string]string // by key read by the user's judge or workflow: the arguments that contain it

	kept       map[string]bool   // keys that the adapter has under their names
	agent      string            // reference
	adapter    map[string]any    // settings of the adapter: expressions, and objects of them
	attributes map[string]string // expressions of train and the agent, by place
	grpo       bool              // the objective is GRPO
}

func newWriter(c *config, options Options) *writer {
	return &writer{
		config: c, options: options, file: hclwrite.NewEmptyFile(), lost: map[string]string{}, read: map[string]string{},
		kept: map[string]bool{}, adapter: map[string]any{}, attributes: map[string]string{},
	}
}

// writeSpec writes the blocks and returns the text of the spec.
func (w *writer) writeSpec() ([]byte, error) {
	system := w.config.system
	if !slices.Contains(system.Adapters, w.options.Adapter) {
		return nil, fmt.Errorf("unknown adapter %q: use %s", w.options.Adapter, strings.Join(system.Adapters, " or "))
	}
	w.comment(w.file.Body(), "# Written by awhost import "+system.Name+" from "+base(w.config.name)+
		". What became of each key: `awhost import "+system.Name+" --json`.")
	for _, other := range w.config.others {
		if other.Key == "defaults" {
			w.comment(w.file.Body(), "# Its base "+oneLine(other.Value)+" was not found: the values there are missing here.")
		}
	}
	system.write(w)
	if w.err != nil {
		return nil, w.err
	}
	return hclwrite.Format(w.file.Bytes()), nil
}

// The getters below return a value from the file, or the system's default. They keep the first error.

func (w *writer) get(key string, into any) bool {
	ok, err := w.config.decode(key, into)
	if err != nil && w.err == nil {
		w.err = err
	}
	return ok && err == nil
}

func (w *writer) text(key string, into *string, preset string) {
	if !w.get(key, into) {
		*into = preset
	}
}

func (w *writer) fail(key, problem string) {
	if w.err == nil {
		w.err = w.config.fail(key, problem)
	}
}

// lose records why a key's value has no counterpart. The spec is written without this value.
func (w *writer) lose(key, why string) {
	if w.config.given(key) {
		w.lost[w.config.full(key)] = why
	}
}

// place returns a file's path as written in the spec, and the path at which it exists.
func (w *writer) place(file string) (shown, path string) {
	if filepath.IsAbs(file) {
		return file, file
	}
	path, _ = find(w.config.name, file)
	return w.relative(path), path
}

// relative returns a path relative to the directory of the spec.
func (w *writer) relative(path string) string {
	dir := w.options.Dir
	if dir == "" {
		dir = filepath.Dir(w.config.name)
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return path
	}
	shown, err := filepath.Rel(from, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(shown)
}

func (w *writer) comment(body *hclwrite.Body, lines ...string) {
	for _, line := range lines {
		body.AppendUnstructuredTokens(hclwrite.Tokens{{Bytes: []byte(line + "\n")}})
	}
}

func (w *writer) block(kind string, labels ...string) *hclwrite.Body {
	w.file.Body().AppendNewline()
	return w.file.Body().AppendNewBlock(kind, labels).Body()
}

func raw(body *hclwrite.Body, name, expression string) {
	body.SetAttributeRaw(name, hclwrite.Tokens{{Bytes: []byte(expression)}})
}

// variable declares a variable for --var. Its type is its default's type; the default may be null.
func (w *writer) variable(name string, preset cty.Value, description string) {
	body := w.block("variable", name)
	raw(body, "type", preset.Type().FriendlyName())
	body.SetAttributeValue("default", preset)
	body.SetAttributeValue("description", cty.StringVal(description))
}

// oneLine converts text from the file to a single line for a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// fill writes an attribute that is a map of strings.
func fill(body *hclwrite.Body, name string, pairs ...string) {
	values := map[string]cty.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = cty.StringVal(pairs[i+1])
	}
	body.SetAttributeValue(name, cty.ObjectVal(values))
}

// firstRow returns the first row of a JSON Lines file, or nil if the file is empty or missing.
func firstRow(path string) (row map[string]any) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	_ = json.NewDecoder(io.LimitReader(f, maxRead)).Decode(&row) // the dataset reports an unreadable file
	return row
}

// maxRead limits the bytes read from a user's file.
const maxRead = 4 << 20

// number copies a number.
func (w *writer) number(body *hclwrite.Body, name, key string) {
	var n float64
	if w.get(key, &n) {
		body.SetAttributeValue(name, cty.NumberFloatVal(n))
	}
}

// source writes a class's file and name, and returns the file's contents, or "" if the file is missing.
func (w *writer) source(body *hclwrite.Body, file, name string) string {
	shown, path := w.place(file)
	body.SetAttributeValue("file", cty.StringVal(shown))
	body.SetAttributeValue("name", cty.StringVal(name))
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxRead)) // plan reports an unreadable file
	return string(text)
}

func texts(list []string) cty.Value {
	var out []cty.Value
	for _, text := range list {
		out = append(out, cty.StringVal(text))
	}
	return cty.ListVal(out)
}

// escaped matches environment variables in HCL text that are written as in YAML.
var escaped = regexp.MustCompile(`\$\$\{(oc\.env:[^${}]+)\}`)

// expression returns a value as an HCL expression. Environment variables are not resolved, because they may be secrets.
func (w *writer) expression(node *yaml.Node) string {
	var out any
	if err := node.Decode(&out); err != nil {
		return "null"
	}
	text, err := json.Marshal(out)
	if err != nil {
		return "null"
	}
	// JSON is valid HCL except for templates.
	constant := strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(text))
	return escaped.ReplaceAllStringFunc(constant, func(found string) string {
		name, preset, hasPreset, _ := environmentOf(found[3 : len(found)-1])
		if hasPreset {
			return fmt.Sprintf("${env(%q, %q)}", name, preset)
		}
		return fmt.Sprintf("${env(%q)}", name)
	})
}

// put sets a value in nested objects.
func put(tree map[string]any, path, expression string) {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		tree[first] = expression
		return
	}
	inner, ok := tree[first].(map[string]any)
	if !ok {
		inner = map[string]any{}
		tree[first] = inner
	}
	put(inner, rest, expression)
}

func object(tree map[string]any) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		value, ok := tree[name].(string)
		if !ok {
			value = object(tree[name].(map[string]any))
		}
		fmt.Fprintf(&out, "%q = %s\n", name, value)
	}
	return "{\n" + out.String() + "}"
}
