package framework

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Tree is a YAML document as a configuration: a mapping of names to trees, or a value.
type Tree struct {
	Value    any              // of a leaf; an empty mapping is a leaf too
	Children map[string]*Tree // of a mapping
	Names    []string         // of the children, in the order of the file
	Line     int
	Empty    bool // nothing follows the name
}

// Bounds on what is read, against files that grow when their aliases are followed.
const (
	maxTreeNodes = 50_000
	maxTreeDepth = 64
)

// ReadTree reads one YAML document whose top is a mapping.
func ReadTree(text []byte) (*Tree, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return &Tree{Children: map[string]*Tree{}}, nil
		}
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one document; a configuration is a single one")
	}
	b := treeBuilder{}
	top, err := b.build(document.Content[0], 0)
	switch {
	case err != nil:
		return nil, err
	case top.Children == nil && top.Value == nil:
		return &Tree{Children: map[string]*Tree{}}, nil
	case top.Children == nil && top.Value != nil:
		if object, ok := top.Value.(map[string]any); !ok || len(object) > 0 {
			return nil, fmt.Errorf("line %d: the top is not a mapping of names to settings", top.Line)
		}
	}
	return top, nil
}

type treeBuilder struct{ nodes int }

func (b *treeBuilder) build(n *yaml.Node, depth int) (*Tree, error) {
	b.nodes++
	if b.nodes > maxTreeNodes || depth > maxTreeDepth {
		return nil, fmt.Errorf("line %d: more than %d settings, or more than %d levels", n.Line, maxTreeNodes, maxTreeDepth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return b.build(n.Alias, depth+1)
	case yaml.MappingNode:
		return b.mapping(n, depth)
	case yaml.SequenceNode:
		return b.sequence(n, depth)
	}
	v, err := scalar(n)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return &Tree{Value: v, Line: n.Line, Empty: v == nil && n.Value == ""}, nil
}

func (b *treeBuilder) mapping(n *yaml.Node, depth int) (*Tree, error) {
	out := &Tree{Children: map[string]*Tree{}, Line: n.Line}
	var merged []*Tree // what the mapping says itself is stronger
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		child, err := b.build(value, depth+1)
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			merged = append(merged, child)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: the name of a setting is not a text", key.Line)
		}
		child.Line = key.Line
		if !out.add(key.Value, child) {
			return nil, fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
		}
	}
	for _, other := range merged {
		out.merge(other)
	}
	if len(out.Names) == 0 {
		return &Tree{Value: map[string]any{}, Line: n.Line}, nil
	}
	return out, nil
}

func (t *Tree) add(name string, child *Tree) bool {
	if _, twice := t.Children[name]; twice {
		return false
	}
	t.Children[name] = child
	t.Names = append(t.Names, name)
	return true
}

// merge takes over what << points to; what is there already stays.
func (t *Tree) merge(other *Tree) {
	for _, name := range other.Names {
		t.add(name, other.Children[name])
	}
}

func (b *treeBuilder) sequence(n *yaml.Node, depth int) (*Tree, error) {
	list := make([]any, 0, len(n.Content))
	for _, element := range n.Content {
		child, err := b.build(element, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, child.Plain())
	}
	return &Tree{Value: list, Line: n.Line}, nil
}

// Plain returns the tree as a value.
func (t *Tree) Plain() any {
	if t.Children == nil {
		return t.Value
	}
	out := make(map[string]any, len(t.Names))
	for _, name := range t.Names {
		out[name] = t.Children[name].Plain()
	}
	return out
}

// Leaves calls yield with each value and its dotted name, in the order of the file. A mapping with names that a dotted
// name cannot have is a value.
func (t *Tree) Leaves(prefix string, yield func(key string, leaf *Tree)) {
	for _, name := range t.Names {
		child, key := t.Children[name], JoinKey(prefix, name)
		if child.Children == nil || slices.ContainsFunc(child.Names, isOdd) {
			yield(key, child)
			continue
		}
		child.Leaves(key, yield)
	}
}

// JoinKey appends a name to a dotted key, which may be empty.
func JoinKey(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// The scalars of OmegaConf: YAML 1.1 without dates (resolver.py of PyYAML, get_yaml_loader in omegaconf/_utils.py).
var (
	yamlTrue  = regexp.MustCompile(`^(yes|Yes|YES|true|True|TRUE|on|On|ON)$`)
	yamlFalse = regexp.MustCompile(`^(no|No|NO|false|False|FALSE|off|Off|OFF)$`)
	yamlNull  = regexp.MustCompile(`^(~|null|Null|NULL|)$`)
	yamlInt   = regexp.MustCompile(`^[-+]?(0b[01_]+|0[0-7_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(:[0-5]?[0-9])*)$`)
	yamlFloat = regexp.MustCompile(`^([-+]?[0-9][0-9_]*(:[0-5]?[0-9])*\.[0-9_]*([eE][-+]?[0-9]+)?|` +
		`[-+]?[0-9]+(_[0-9]+)*[eE][-+]?[0-9]+|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// scalar reads a leaf as OmegaConf does.
func scalar(n *yaml.Node) (any, error) {
	switch text := n.Value; {
	case n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != "!!str":
		var v any
		if err := n.Decode(&v); err != nil {
			return nil, err
		}
		return Normal(v)
	case n.Style != 0:
		return text, nil
	case yamlTrue.MatchString(text), yamlFalse.MatchString(text):
		return yamlTrue.MatchString(text), nil
	case yamlNull.MatchString(text):
		return nil, nil
	case yamlInt.MatchString(text), yamlFloat.MatchString(text):
		return yamlNumber(text, yamlInt.MatchString(text)), nil
	default:
		return text, nil
	}
}

// yamlNumber reads a number, whose digits may be of base 2, 8, 10, 16, or 60.
func yamlNumber(text string, whole bool) any {
	text = strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(text, 0, 64); err == nil && whole {
		return i
	}
	parts := strings.Split(strings.TrimLeft(text, "+-"), ":")
	f := 0.0
	for _, part := range parts {
		if strings.ContainsAny(part, "iInN") { // .inf and .nan
			part = part[1:]
		}
		digits, _ := strconv.ParseFloat(part, 64) // too large a number is infinite
		f = f*60 + digits
	}
	if strings.HasPrefix(text, "-") {
		f = -f
	}
	if whole && len(parts) > 1 {
		return int64(f)
	}
	return f
}
