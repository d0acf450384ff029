// Package drawn draws configurations of a training framework, and compares what the framework's own library and awhost
// make of them.
//
//	base := drawn.Compose(t, python, program, nil)[0]
//	cases := drawn.Cases(100, drawn.Keys{Takes: takes, Known: known})
//	for i, want := range drawn.Compose(t, python, program, cases) { … cases[i] … }
package drawn

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/framework"
)

// Case is a drawn configuration. The overrides of the spec come before the overrides of the command line.
type Case struct {
	YAML     string                     // the user's file; may be empty
	Spec     map[string]json.RawMessage // as in the adapter's `overrides`
	Command  map[string]string          // as after --
	Override []string                   // both, for Hydra
	Whole    bool                       // composed from all files of the framework, which takes longer
}

// Composed is a framework's configuration of a case, by dotted key.
type Composed struct {
	Error  string
	Raw    map[string]json.RawMessage // interpolations are text
	Values map[string]json.RawMessage // interpolations are followed, as far as they have a value
}

// Keys describes the keys of a framework.
type Keys struct {
	Known []string // keys that may be set
	Free  []string // mappings that take any name
	Takes func(key string) framework.Types
	Text  func(key string) []string // the texts that a key takes; nil: any
	Begin string                    // of each file
}

// Cases draws n cases. Equal arguments draw equal cases.
func Cases(n int, keys Keys) []Case {
	out := make([]Case, n)
	for i := range out {
		d := drawer{Rand: rand.New(rand.NewPCG(uint64(i), 37)), Keys: keys}
		out[i] = d.draw()
		out[i].Whole = i%16 == 0
	}
	return out
}

type drawer struct {
	*rand.Rand
	Keys
}

func pick[T any](d *drawer, from []T) T { return from[d.IntN(len(from))] }

// words are the values of each kind, as both YAML and Hydra write them. Special values are text in some of Hydra's
// grammar, YAML 1.1, and YAML 1.2.
var (
	words = []struct {
		kind framework.Types
		text []string
	}{
		{framework.Boolean, []string{"true", "false", "True", "FALSE"}},
		{framework.Whole, []string{"0", "7", "-3", "1_000", "123456789"}},
		{framework.Real, []string{"0.5", "1e-6", "-2.5", "1_0.5", "3.0e+2", ".25"}},
		{framework.Text, []string{"abc", "a/b.c-d", `"x y"`, `'1'`, `'null'`, `'it, [is]'`, "a b", `""`}},
		{framework.List, []string{"[]", "[1,2]", "[a, 'b c', null, 1.5]", "[[true],[x, 2]]"}},
		{framework.Mapping, []string{"{a: 1, b: {c: [x]}}", "{k-1: null, k_2: 'y z'}"}},
		{framework.Null, []string{"null"}},
	}
	special = []string{
		"yes", "off", "On", "y", "017", "0x1f", "0b11", "0o17", "1:30", "2001-01-01", "~", "1e5", "1.", "1.e+5", "+1",
		"-.5e3", "1_000.5", ".5_0", "0_1", "NULL", "None", "1__0", "12e03", "-0",
	}
)

// value draws a value for a key.
func (d *drawer) value(key string, takes framework.Types) string {
	if takes|framework.Mapping == framework.Anything && d.IntN(2) == 0 {
		return pick(d, special)
	}
	for range 64 {
		w := pick(d, words)
		if !takes.Has(w.kind) || w.kind == framework.Null && d.IntN(2) == 0 {
			continue
		}
		if w.kind == framework.Text && d.Text != nil && d.Text(key) != nil {
			return pick(d, d.Text(key))
		}
		if w.kind&(framework.Whole|framework.Real) != 0 && d.IntN(6) == 0 {
			return "${" + d.like(takes) + "}"
		}
		return pick(d, w.text)
	}
	return "null"
}

// like returns a key that takes the same numbers, or any key if it finds none.
func (d *drawer) like(takes framework.Types) (key string) {
	for range 64 {
		key = pick(d, d.Known)
		if other := d.Takes(key); other != framework.Anything && other&^framework.Null == takes&^framework.Null {
			break
		}
	}
	return key
}

func (d *drawer) draw() Case {
	c := Case{Spec: map[string]json.RawMessage{}, Command: map[string]string{}}
	if d.IntN(3) > 0 {
		c.YAML = d.file()
	}
	for range d.IntN(4) {
		key := pick(d, d.Known)
		value, err := framework.ParseValue(d.value(key, d.Takes(key)&^framework.Mapping))
		if _, isMapping := value.(map[string]any); err == nil && !isMapping {
			c.Spec[pick(d, []string{"", "++"})+key] = framework.EncodedJSON(value)
		}
	}
	for range d.IntN(6) {
		key, value := d.override(&c)
		if strings.HasPrefix(value, "{") && key[0] != '+' && d.Takes(key).Has(framework.Mapping) {
			key = "++" + key // Hydra adds no names to a mapping without it
		}
		c.Command[key] = value
	}
	for _, key := range slices.Sorted(maps.Keys(c.Spec)) {
		c.Override = append(c.Override, key+"="+string(c.Spec[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(c.Command)) {
		c.Override = append(c.Override, key+"="+c.Command[key])
	}
	return c
}

// override draws an override of the command line.
func (d *drawer) override(c *Case) (key, value string) {
	key = pick(d, d.Known)
	switch d.IntN(16) {
	case 0: // a key that does not exist
		return key + "_no", "1"
	case 1: // a sweep
		return key, "1,2"
	case 2, 3: // a new key
		if len(d.Free) > 0 {
			return fmt.Sprintf("+%s.n%d", pick(d, d.Free), d.IntN(1000)), d.value("", framework.Anything)
		}
	case 4: // several keys of a section
		section, name, _ := framework.CutLast(key)
		if text := d.value(key, d.Takes(key)); section != "" && !strings.ContainsAny(text, "{$") {
			return section, "{" + name + ": " + text + "}"
		}
	case 5: // a key that the spec has, too
		if all := slices.Sorted(maps.Keys(c.Spec)); len(all) > 0 {
			key = strings.TrimLeft(pick(d, all), "+")
		}
	case 6:
		return "++" + key, d.value(key, d.Takes(key))
	}
	return key, d.value(key, d.Takes(key))
}

// file draws a user's file. Some of its keys share a section.
func (d *drawer) file() string {
	tree := map[string]any{}
	for range 1 + d.IntN(6) {
		key := pick(d, d.Known)
		put(tree, key, d.value(key, d.Takes(key)))
	}
	if len(d.Free) > 0 {
		put(tree, fmt.Sprintf("%s.f%d", pick(d, d.Free), d.IntN(1000)), d.value("", framework.Anything))
	}
	var out strings.Builder
	out.WriteString(d.Begin)
	write(&out, tree, "")
	return out.String()
}

func put(tree map[string]any, key, text string) {
	parts := strings.Split(key, ".")
	for _, part := range parts[:len(parts)-1] {
		next, ok := tree[part].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[part] = next
		}
		tree = next
	}
	tree[parts[len(parts)-1]] = text
}

func write(out *strings.Builder, tree map[string]any, indent string) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if below, ok := tree[name].(map[string]any); ok {
			fmt.Fprintf(out, "%s%s:\n", indent, name)
			write(out, below, indent+"  ")
			continue
		}
		fmt.Fprintf(out, "%s%s: %s\n", indent, name, tree[name])
	}
}

// composer reads a list of cases, and composes each with the function compose of the program before it.
//
//go:embed composer.py
var composer string

// Compose runs a framework's own library, which composes a case without settings, then the cases. The program defines
// compose(case, directory), which returns a DictConfig.
func Compose(t *testing.T, python, program string, cases []Case) []Composed {
	t.Helper()
	asked, err := json.Marshal(append([]Case{{}}, cases...))
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), python, "-c", program+composer)
	run.Stdin, run.Dir, run.Env = bytes.NewReader(asked), t.TempDir(), append(os.Environ(), "PYTHONHASHSEED=0")
	printed, err := run.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		t.Fatalf("%v\n%s", err, failed.Stderr)
	}
	var out []Composed
	if err := errors.Join(err, json.Unmarshal(printed, &out)); err != nil || len(out) != len(cases)+1 {
		t.Fatalf("%d answers for %d cases: %v", len(out), len(cases), err)
	}
	return out
}
