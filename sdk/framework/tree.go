package framework

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Tree is a YAML document as a configuration: a mapping of names to trees, or a value.
type Tree struct {
	Value    any              // of a leaf; an empty mapping is a leaf too
	Children map[string]*Tree // of a mapping
	Names    []string         // of the children, in the order of the file
	Line     int
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
	return &Tree{Value: v, Line: n.Line}, nil
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

// Leaves calls yield with each value and its dotted name, in the order of the file.
func (t *Tree) Leaves(prefix string, yield func(key string, leaf *Tree)) {
	for _, name := range t.Names {
		child, key := t.Children[name], JoinKey(prefix, name)
		if child.Children == nil {
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

// scalar reads a leaf as OmegaConf does, whose YAML is 1.1: yes and off are truth values, dates are text.
func scalar(n *yaml.Node) (any, error) {
	plainStyle := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if !plainStyle {
		return n.Value, nil
	}
	switch strings.ToLower(n.Value) {
	case "yes", "on":
		return true, nil
	case "no", "off":
		return false, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var v bool
		err := n.Decode(&v)
		return v, err
	case "!!int":
		return integer(n)
	case "!!float":
		var v float64
		err := n.Decode(&v)
		return v, err
	}
	return n.Value, nil
}

func integer(n *yaml.Node) (any, error) {
	var v int64
	if err := n.Decode(&v); err == nil {
		return v, nil
	}
	var f float64
	err := n.Decode(&f)
	return f, err
}
