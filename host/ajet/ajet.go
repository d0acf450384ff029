// Package ajet converts an AgentJet configuration to a spec for equivalent training.
//
//	spec, err := ajet.Import("math_agent.yaml", text, ajet.Options{Adapter: "local"})
//	err = spec.Write("train.hcl", false)
//	for _, key := range spec.Keys { … } // the conversion of each key of the file
//
// One table, Keys, defines the conversion. The documentation is generated from it. Keys missing from the table are
// listed in the result too, so that no part of a file is lost silently. The package runs no AgentJet code, and must
// not depend on specs or plugins beyond the text that it writes.
package ajet

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/awhost/awhost/host/internal/wholefile"
)

// Options configure Import.
type Options struct {
	Adapter string // "local" or "verl"
	Dir     string // directory of the spec, to which its paths are relative; empty: the configuration's
}

// Adapters lists the adapters for which a spec can be written.
var Adapters = []string{"local", "verl"}

// Spec is the result of Import.
type Spec struct {
	Text []byte
	Keys []ImportedKey // in the order of the file
}

// Write writes the spec to a file atomically. It returns fs.ErrExist if the file exists and overwrite is false.
func (s *Spec) Write(path string, overwrite bool) error {
	if _, err := os.Lstat(path); !overwrite && !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	return wholefile.Write(path, ".tmp-*", 0o644, wholefile.Text(s.Text))
}

// ImportedKey describes the conversion of a key.
type ImportedKey struct {
	Key   string `json:"key"`
	Line  int    `json:"line"`            // of the file
	Value string `json:"value,omitempty"` // as in the file
	To    string `json:"to,omitempty"`    // its place in the spec; empty: not converted
	Why   string `json:"why,omitempty"`   // the reason why it is not converted, or the difference
}

// Import converts a configuration to a spec. name is the file's name, which is used in messages. An error includes the
// line number.
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
			i.Why = "the file selects another option, to which this key does not apply"
		case w.needsVerl(key):
			i.Why = "the embedded trainer has its own small policy and context: --adapter verl writes this key"
		default:
			i.To, i.Why = key.To, key.Why
		}
		spec.Keys = append(spec.Keys, i)
	}
	return spec, nil
}

// keyOf returns the table's entry for a key.
func keyOf(path string) (Key, bool) {
	for _, key := range Keys {
		prefix, all := strings.CutSuffix(key.Path, "*")
		if key.Path == path || all && strings.HasPrefix(path, prefix) {
			return key, true
		}
	}
	return Key{}, false
}

// unused reports whether a key belongs to a reader that the file does not choose.
func (w *writer) unused(key Key) bool {
	rest, isReader := strings.CutPrefix(key.Path, "ajet.task_reader.")
	if isReader && rest != "type" && key.To != "" {
		return !strings.HasPrefix(rest, w.reader+".")
	}
	return false
}

// needsVerl reports whether a key is written only if the adapter is verl.
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
