// Package importer converts the configuration of another system, a YAML file or a launch script, to a spec for
// equivalent training.
//
//	spec, err := importer.Systems["verl"].Import("run.sh", text, importer.Options{})
//	err = spec.Write("train.hcl", false)
//	for _, key := range spec.Keys { … } // the conversion of each key of the file
//
// A table for each system, in the folder keys, defines the conversion. The documentation is generated from it. Keys
// missing from the table are listed in the result too, so that no part of a file is lost silently. The package runs no
// code of a system and no command of a script, and must not depend on specs or plugins beyond the text that it writes.
//
//	table.go       the tables
//	yaml.go        reads YAML, with the files that it is based on
//	script.go      evaluates a launch script without running it
//	condition.go   conditions and command substitutions of a script
//	launch.go      reads the command line that starts the training
//	writer.go      writes blocks
//	ajet.go        the parts of AgentJet's spec, with ajettrain.go
//	framework.go   the spec for a training framework, with parts.go
package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/host/internal/wholefile"
)

// System is a system whose configurations can be imported.
type System struct {
	Name     string // of the command and of the table
	Title    string
	Keys     []Key
	Adapters []string // for which a spec can be written; the first one is the default
	Scripts  bool     // a configuration may be a launch script

	root    string        // of all keys
	shipped []string      // its own base configurations, whose values are its defaults
	flags   bool          // arguments are --name value, not Hydra's key=value
	write   func(*writer) // the blocks of the spec
}

// Options configure an import.
type Options struct {
	Adapter string // one of System.Adapters; empty: the first
	Dir     string // directory of the spec, to which its paths are relative; empty: the configuration's
}

// Systems lists the systems by name.
var Systems = map[string]*System{
	"ajet": {
		Name: "ajet", Title: "AgentJet", Keys: readKeys("ajet"), Adapters: []string{"local", "verl"}, root: "ajet.",
		shipped: []string{"ajet_default", "verl_default", "trinity_default"}, write: (*writer).writeAjet,
	},
	"verl": {
		Name: "verl", Title: "verl", Keys: readKeys("verl"), Adapters: []string{"verl"}, Scripts: true,
		shipped: []string{"ppo_trainer", megatronTrainer}, write: (*writer).writeVerl,
	},
	"areal": {
		Name: "areal", Title: "AReaL", Keys: readKeys("areal"), Adapters: []string{"areal"}, Scripts: true,
		write: (*writer).writeAreal,
	},
	"trl": {
		Name: "trl", Title: "TRL", Keys: readKeys("trl", "hf"), Adapters: []string{"trl"}, Scripts: true, flags: true,
		write: (*writer).writeTRL,
	},
	"swift": {
		Name: "swift", Title: "ms-swift", Keys: readKeys("swift", "hf"), Adapters: []string{"swift"}, Scripts: true,
		flags: true, write: (*writer).writeSwift,
	},
}

// Spec is the result of an import.
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

// Problem returns the first key that depends on a part of a script that the import does not evaluate, or nil.
func (s *Spec) Problem() *ImportedKey {
	for i := range s.Keys {
		if s.Keys[i].Outcome == Unresolved {
			return &s.Keys[i]
		}
	}
	return nil
}

// Outcome classifies the conversion of a key.
type Outcome string

// The outcomes of keys, and of commands of a script.
const (
	Mapped     Outcome = "mapped"     // to an attribute or a block of the spec
	Kept       Outcome = "kept"       // under its name, in the adapter's settings
	Owned      Outcome = "owned"      // awhost sets the key itself
	LeftOut    Outcome = "left_out"   // it has no counterpart, or another value replaces it
	Unresolved Outcome = "unresolved" // its value is not known without running the script
	NotRun     Outcome = "not_run"    // a command or a condition of a script
)

// ImportedKey describes the conversion of a key, or a command of a script.
type ImportedKey struct {
	Key     string  `json:"key"`
	File    string  `json:"file,omitempty"` // if it is not the imported one
	Line    int     `json:"line"`           // of the file
	Value   string  `json:"value,omitempty"`
	Outcome Outcome `json:"outcome"`
	To      string  `json:"to,omitempty"`  // its place in the spec; empty: not converted
	Why     string  `json:"why,omitempty"` // the reason why it is not converted, or the difference
}

// Import converts a configuration to a spec. name is the file's name, which is used in messages. An error includes the
// line number.
func (s *System) Import(name string, text []byte, options Options) (*Spec, error) {
	options.Adapter = cmp.Or(options.Adapter, s.Adapters[0])
	c, err := s.read(name, text)
	if err != nil {
		return nil, err
	}
	w := newWriter(c, options)
	out, err := w.writeSpec()
	if err != nil {
		return nil, err
	}
	spec := &Spec{Text: out, Keys: c.others}
	for _, path := range c.order {
		spec.Keys = append(spec.Keys, w.imported(path))
	}
	return spec, nil
}

// imported returns the conversion of a key.
func (w *writer) imported(path string) ImportedKey {
	v := w.config.values[path]
	key, known := w.config.system.keyOf(path)
	i := w.config.result(path, v)
	switch {
	case v.problem != "" && (key.To != "" || !known):
		i.Outcome, i.Why = Unresolved, v.problem
	case w.lost[path] != "":
		i.Why = w.lost[path]
	case w.read[path] != "" && key.To == "":
		i.Outcome, i.To = Mapped, w.read[path]
	case w.kept[path]:
		i.Outcome, i.To = Kept, w.keeps()
	case !known:
		i.Why = "AgentJet's default configuration has no such key, and AgentJet would ignore it"
	case w.unused(key):
		i.Why = "the file selects another option, to which this key does not apply"
	case w.needsVerl(key):
		i.Why = "the embedded trainer has its own small policy and context: --adapter verl writes this key"
	case key.To != "":
		i.Outcome, i.To, i.Why = Mapped, key.To, key.Why
	case key.Owned:
		i.Outcome, i.Why = Owned, key.Why
	default:
		i.Why = key.Why
	}
	return i
}

// shownValue returns a value on one line.
func shownValue(node *yaml.Node) string {
	var out any
	if node.Kind == yaml.ScalarNode || node.Decode(&out) != nil {
		return node.Value
	}
	text, err := json.Marshal(out)
	if err != nil {
		return ""
	}
	return string(text)
}

// base returns a file's name in a message.
func base(file string) string { return strings.Join(strings.Fields(filepath.Base(file)), " ") }
