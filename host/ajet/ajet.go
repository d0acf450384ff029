// Package ajet reads a configuration of AgentJet's and writes the spec that trains the same.
//
//	spec, err := ajet.Import("math_agent.yaml", text, ajet.Options{Adapter: "local"})
//	err = spec.Write("train.hcl", false)
//	for _, key := range spec.Keys { … } // what became of each key of the file
//
// Which key goes where stands in one table, Keys, from which the documentation is generated. A key that is not in it is
// in the result, too: nothing of a file is lost without a word. The package runs nothing of AgentJet's, and knows
// neither specs nor plugins beyond the text that it writes.
package ajet

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/awhost/awhost/host/internal/wholefile"
)

// Options say what to write.
type Options struct {
	Adapter string // "local" or "verl"
	Dir     string // of the spec, from which its paths start; empty: the configuration's
}

// Adapters are those for which a spec can be written.
var Adapters = []string{"local", "verl"}

// Spec is what was written.
type Spec struct {
	Text []byte
	Keys []ImportedKey // as the file has them
}

// Write writes the spec in one step. It is an fs.ErrExist where a file is there that is not to be written over.
func (s *Spec) Write(path string, overwrite bool) error {
	if _, err := os.Lstat(path); !overwrite && !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	return wholefile.Write(path, ".tmp-*", 0o644, wholefile.Text(s.Text))
}

// ImportedKey is what became of a key.
type ImportedKey struct {
	Key   string `json:"key"`
	Line  int    `json:"line"`            // of the file
	Value string `json:"value,omitempty"` // as the file has it
	To    string `json:"to,omitempty"`    // where the spec has it; empty: nowhere
	Why   string `json:"why,omitempty"`   // why it has not, or what is different
}

// Import writes a spec for a configuration. name is the file's, for messages. An error names the line.
func Import(name string, text []byte, options Options) (*Spec, error) {
	c, err := read(name, text)
	if err != nil {
		return nil, err
	}
	w := &writer{config: c, options: options, lost: map[string]string{}, read: map[string]string{}}
	out, err := w.write()
	if err != nil {
		return nil, err
	}
	spec := &Spec{Text: out, Keys: c.missing}
	for _, path := range c.order {
		v := c.values[path]
		i := ImportedKey{Key: path, Line: v.line, Value: v.node.Value}
		key, known := keyOf(path)
		switch {
		case w.lost[path] != "":
			i.Why = w.lost[path]
		case w.read[path] != "" && key.To == "":
			i.To = w.read[path]
		case !known:
			i.Why = "AgentJet's default configuration has no such key, and AgentJet would ignore it"
		case w.unused(key):
			i.Why = "the file chooses something else, for which it does not count"
		case w.needsVerl(key):
			i.Why = "the embedded trainer has a small policy and a context of its own: --adapter verl writes it"
		default:
			i.To, i.Why = key.To, key.Why
		}
		spec.Keys = append(spec.Keys, i)
	}
	return spec, nil
}

// keyOf finds what is known of a key.
func keyOf(path string) (Key, bool) {
	for _, key := range Keys {
		prefix, all := strings.CutSuffix(key.Path, "*")
		if key.Path == path || all && strings.HasPrefix(path, prefix) {
			return key, true
		}
	}
	return Key{}, false
}

// unused reports whether a key is of a reader that the file does not choose.
func (w *writer) unused(key Key) bool {
	rest, isReader := strings.CutPrefix(key.Path, "ajet.task_reader.")
	if isReader && rest != "type" && key.To != "" {
		return !strings.HasPrefix(rest, w.reader+".")
	}
	return false
}

// needsVerl reports whether a key is written for verl alone.
func (w *writer) needsVerl(key Key) bool {
	if w.options.Adapter == "verl" {
		return false
	}
	switch key.To {
	case "variable.model, model.hf.policy",
		"train.limits.prompt_tokens",
		"train.limits.response_tokens",
		"train.limits.message_tokens":
		return true
	}
	return strings.HasPrefix(key.To, "adapter.verl")
}

// Markdown is the table of the keys for the documentation.
func Markdown() string {
	var out strings.Builder
	out.WriteString("| key | where the spec has it | what is different, or why it is not there |\n|---|---|---|\n")
	for _, key := range Keys {
		to := ""
		if key.To != "" {
			to = "`" + strings.ReplaceAll(key.To, ", ", "`, `") + "`"
		}
		fmt.Fprintf(
			&out,
			"| `%s` | %s | %s |\n",
			strings.TrimPrefix(key.Path, "ajet."),
			to,
			strings.ReplaceAll(key.Why, "|", `\|`),
		)
	}
	return out.String()
}
