package importer

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// value is a value in a configuration.
type value struct {
	file    string
	line    int
	layer   int // a value overrides the values of greater layers
	node    *yaml.Node
	prefix  string // + or ++ of Hydra's command line
	problem string // why the value is not known without running the script; empty: it is known
}

// config is a configuration: its values by path, and their order.
type config struct {
	system *System
	name   string // of the file
	values map[string]value
	order  []string
	layers int
	nodes  int           // nodes read, including repetitions by aliases
	others []ImportedKey // bases that were not found, replaced values, commands of a script
	bases  []string      // names of the configurations that the file is based on
}

// maxDepth limits the nesting depth of keys and of base configurations. maxNodes limits the number of keys repeated by
// aliases: a 30-line file can describe billions.
const (
	maxDepth = 32
	maxNodes = 100_000
)

// read reads a configuration and its bases, or a launch script and the configuration that it names.
func (s *System) read(name string, text []byte) (*config, error) {
	c := &config{system: s, name: name, values: map[string]value{}}
	var err error
	if extension := filepath.Ext(name); s.Scripts && extension != ".yaml" && extension != ".yml" {
		err = c.script(text)
	} else {
		err = c.document(name, text, 0)
	}
	if err != nil {
		return nil, err
	}
	for _, path := range c.order {
		_, known := s.keyOf(path)
		if known && s.root == "" || s.root != "" && strings.HasPrefix(path, s.root) {
			return c, nil
		}
	}
	missing := "no key of " + s.Title + "'s is in it"
	if s.root != "" {
		missing = "the key " + strings.TrimSuffix(s.root, ".") + " is missing"
	}
	return nil, fmt.Errorf("%s is not a configuration of %s: %s", name, s.Title, missing)
}

// document adds the values of a file, then the values of its bases, which override nothing in the file.
func (c *config) document(name string, text []byte, depth int) error {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %s: correct the YAML", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return fmt.Errorf("%s is not a configuration of %s: it has no keys", name, c.system.Title)
	}
	c.layers++
	if err := c.add(name, "", document.Content[0], c.layers, 0); err != nil {
		return err
	}
	var root struct {
		Defaults []yaml.Node
		Hydra    struct{ Searchpath []string }
	}
	_ = document.Decode(&root) // another form of defaults is a key without a counterpart
	for _, base := range slices.Backward(root.Defaults) {
		if base.Kind != yaml.ScalarNode || base.Value == "_self_" {
			continue
		}
		c.bases = append(c.bases, base.Value)
		if !slices.Contains(c.system.shipped, base.Value) {
			if err := c.base(name, base, root.Hydra.Searchpath, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// base adds the values from a base of the file called name.
func (c *config) base(name string, base yaml.Node, folders []string, depth int) error {
	for _, folder := range append([]string{""}, folders...) {
		file, found := find(name, filepath.Join(strings.TrimPrefix(folder, "file://"), base.Value+".yaml"))
		text, err := os.ReadFile(file)
		if !found || err != nil {
			continue
		}
		if depth == maxDepth {
			return fmt.Errorf("%s:%d: the bases are nested too deeply: remove %s", name, base.Line, base.Value)
		}
		return c.document(file, text, depth+1)
	}
	c.other(Unresolved, base.Line, "defaults", base.Value, "no "+base.Value+".yaml next to the file or in "+
		"hydra.searchpath: its values are missing in the spec; add it and import again")
	return nil
}

// find searches for a file next to the configuration called name, in its parent directories, one of which the training
// is started from, and in the working directory. If the file is missing, it returns the first candidate.
func find(name, file string) (string, bool) {
	dir, err := filepath.Abs(filepath.Dir(name))
	if filepath.IsAbs(file) || err != nil {
		_, err = os.Stat(file)
		return file, err == nil
	}
	first := filepath.Join(dir, file)
	for _, folder := range append(parents(dir), ".") {
		path := filepath.Join(folder, file)
		if _, err := os.Stat(path); err == nil {
			path, err = filepath.Abs(path)
			return path, err == nil
		}
	}
	return first, false
}

// parents returns a directory and the directories above it.
func parents(dir string) []string {
	if above := filepath.Dir(dir); above != dir {
		return append([]string{dir}, parents(above)...)
	}
	return []string{dir}
}

// findNear searches for a file like find, and then for the end of its path in the folder of the configuration and in
// the folder above: a script names a file in the layout of its repository.
func findNear(name, file string) (string, bool) {
	path, found := find(name, file)
	parts := strings.Split(filepath.ToSlash(file), "/")
	for i := 0; i < len(parts) && !found; i++ {
		for _, start := range []string{name, filepath.Dir(name)} {
			near := filepath.Join(filepath.Dir(start), filepath.Join(parts[i:]...))
			if info, err := os.Stat(near); err == nil && info.Mode().IsRegular() {
				path, err = filepath.Abs(near)
				return path, err == nil
			}
		}
	}
	return path, found
}

func (c *config) add(file, path string, node *yaml.Node, layer, depth int) error {
	node, err := c.visit(file, node)
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("%s:%d: %s is nested too deeply", file, node.Line, path)
	}
	if node.Kind != yaml.MappingNode || len(node.Content) == 0 {
		return c.set(path, value{file: file, line: node.Line, layer: layer, node: node})
	}
	taken := map[string]bool{} // a key replaces the whole value of a merged key
	for queue := []*yaml.Node{node}; len(queue) > 0; {
		next, err := c.visit(file, queue[0])
		if err != nil {
			return err
		}
		queue = queue[1:]
		var merged []*yaml.Node // an earlier one takes precedence over a later one
		switch next.Kind {
		case yaml.SequenceNode:
			merged = next.Content
		case yaml.MappingNode:
			if merged, err = c.addKeys(file, path, next, layer, depth, taken); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s:%d: << merges only mappings: use an alias for a mapping", file, next.Line)
		}
		queue = slices.Concat(merged, queue)
	}
	return nil
}

// visit follows an alias and counts the node.
func (c *config) visit(file string, node *yaml.Node) (*yaml.Node, error) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if c.nodes++; c.nodes > maxNodes {
		return nil, fmt.Errorf("%s:%d: more than %d keys, including each repetition by an alias: remove aliases",
			file, node.Line, maxNodes)
	}
	return node, nil
}

// addKeys adds the mapping's keys that are not yet defined, and returns the nodes that the mapping merges.
func (c *config) addKeys(
	file, path string, node *yaml.Node, layer, depth int, taken map[string]bool,
) (merged []*yaml.Node, _ error) {
	before := maps.Clone(taken)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		switch {
		case key == "<<":
			merged = append(merged, node.Content[i+1])
			continue
		case before[key]:
			continue
		}
		taken[key] = true
		if depth == 0 && c.system.root != "" && (key == "astune" || key == "astuner") { // in older releases
			key = "ajet"
		}
		if path != "" {
			key = path + "." + key
		}
		if err := c.add(file, key, node.Content[i+1], layer, depth+1); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

// set stores a value unless an earlier layer has already set one.
func (c *config) set(path string, v value) error {
	before, ok := c.values[path]
	if ok && before.layer == v.layer {
		return fmt.Errorf("%s:%d: duplicate key %s: remove one of them", v.file, v.line, path)
	}
	if ok {
		c.replaced(path, v, before)
		return nil
	}
	c.values[path] = v
	c.order = append(c.order, path)
	return nil
}

// replaced lists a value that another one replaces.
func (c *config) replaced(path string, v, by value) {
	i := c.result(path, v)
	i.Why = fmt.Sprintf("%s:%d replaces it", base(by.file), by.line)
	c.others = append(c.others, i)
}

// result returns the result for a value that has no counterpart.
func (c *config) result(path string, v value) ImportedKey {
	i := ImportedKey{Key: v.prefix + path, Line: v.line, Value: shownValue(v.node), Outcome: LeftOut}
	if v.file != c.name {
		i.File = v.file
	}
	return i
}

// other adds a result that is not about a value of a key.
func (c *config) other(outcome Outcome, line int, key, value, why string) {
	c.others = append(c.others, ImportedKey{Key: key, Line: line, Value: value, Outcome: outcome, Why: why})
}

// reference matches an innermost OmegaConf interpolation.
var reference = regexp.MustCompile(`\$\{([^${}]+)\}`)

// unsetError reports an unset environment variable that a value uses.
type unsetError struct{ name string }

func (e unsetError) Error() string {
	return fmt.Sprintf("the environment variable %s is not set: set it, or write the value", e.name)
}

// resolve replaces the interpolations in a string: environment variables and other keys. It leaves others unchanged.
func (c *config) resolve(text string) (out string, err error) {
	for range maxDepth {
		out = reference.ReplaceAllStringFunc(text, func(found string) string {
			inner := found[2 : len(found)-1]
			if name, preset, hasPreset, ok := environmentOf(inner); ok {
				if set, ok := os.LookupEnv(name); ok {
					return set
				}
				if !hasPreset {
					err = unsetError{name}
				}
				return preset
			}
			if v, ok := c.values[inner]; ok && v.node.Kind == yaml.ScalarNode {
				return v.node.Value
			}
			return found
		})
		if out == text || err != nil {
			break
		}
		text = out
	}
	return out, err
}

// environmentOf parses oc.env:NAME and oc.env:NAME,DEFAULT.
func environmentOf(inner string) (name, preset string, hasPreset, ok bool) {
	rest, ok := strings.CutPrefix(inner, "oc.env:")
	name, preset, hasPreset = strings.Cut(rest, ",")
	return strings.TrimSpace(name), strings.Trim(preset, ` '"`), hasPreset, ok
}

// full returns a key with the system's root.
func (c *config) full(path string) string {
	if strings.HasPrefix(path, c.system.root) || strings.HasPrefix(path, "actor_rollout_ref.") {
		return path
	}
	return c.system.root + path
}

// given reports whether the file sets a key.
func (c *config) given(path string) bool {
	v, ok := c.values[c.full(path)]
	return ok && v.problem == "" && v.node.Tag != "!!null"
}

// decode decodes a value, or the system's default. It returns false if neither exists.
func (c *config) decode(path string, into any) (bool, error) {
	path = c.full(path)
	v, ok := c.values[path]
	if !ok || v.problem != "" {
		for _, key := range c.system.Keys {
			if key.Path == path && key.Default != "" {
				return true, yaml.Unmarshal([]byte(key.Default), into)
			}
		}
		return false, nil
	}
	if v.node.Tag == "!!null" {
		return false, nil
	}
	node := v.node
	if node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "${") {
		text, err := c.resolve(node.Value)
		if err != nil {
			return false, fmt.Errorf("%s:%d: %s = %q: %w", v.file, v.line, path, node.Value, err)
		}
		node = &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	if err := node.Decode(into); err != nil {
		var wrong *yaml.TypeError
		if errors.As(err, &wrong) {
			err = errors.New(strings.Join(wrong.Errors, "; "))
		}
		return false, fmt.Errorf("%s:%d: %s = %q: %w", v.file, v.line, path, node.Value, err)
	}
	return true, nil
}

// fail returns an error about a value in the file.
func (c *config) fail(path, problem string) error {
	path = c.system.root + path
	v := c.values[path]
	return fmt.Errorf("%s:%d: %s = %q: %s", v.file, v.line, path, v.node.Value, problem)
}
