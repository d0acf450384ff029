package framework

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on what is read, against files that grow when their aliases are followed.
const (
	maxTreeNodes = 50_000
	maxTreeDepth = 64
)

// FileSettings returns the settings of a YAML file in its order, each with its line. A mapping with names that a dotted
// key cannot have is a value.
func FileSettings(name string, text []byte) ([]*Setting, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one document; a configuration is a single one")
	}
	r := fileReader{origin: FromFiles + name}
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		if value, err := r.value(top, 0); err != nil || value != nil {
			return nil, cmp.Or(err, fmt.Errorf("line %d: the top is not a mapping of names to settings", top.Line))
		}
	}
	err := r.leaves("", top, 0)
	return r.settings, err
}

type fileReader struct {
	origin   string
	settings []*Setting
	nodes    int
}

// field is a name in a mapping.
type field struct {
	key, value *yaml.Node
}

// enter counts a node and follows its alias.
func (r *fileReader) enter(n *yaml.Node, depth int) (*yaml.Node, error) {
	if r.nodes++; r.nodes > maxTreeNodes || depth > maxTreeDepth {
		return nil, fmt.Errorf("line %d: more than %d settings, or more than %d levels", n.Line, maxTreeNodes, maxTreeDepth)
	}
	if n.Kind == yaml.AliasNode {
		return n.Alias, nil
	}
	return n, nil
}

// fields returns the names of a mapping; other nodes have none. Its own names are stronger than merged ones.
func (r *fileReader) fields(n *yaml.Node, depth int) (out []field, err error) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	var merged []field
	has := func(name string) bool {
		return slices.ContainsFunc(out, func(f field) bool { return f.key.Value == name })
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value, err = r.enter(value, depth+1); err != nil {
			return nil, err
		}
		switch {
		case key.Tag == "!!merge":
			more, err := r.merged(value, depth+1)
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
		case key.Kind != yaml.ScalarNode:
			return nil, fmt.Errorf("line %d: the name of a setting is not a text", key.Line)
		case has(key.Value):
			return nil, fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
		default:
			out = append(out, field{key, value})
		}
	}
	for _, f := range merged {
		if !has(f.key.Value) {
			out = append(out, f)
		}
	}
	return out, nil
}

// merged returns the names of the value of <<: of a mapping, or of a list of mappings, of which the first is strongest.
func (r *fileReader) merged(n *yaml.Node, depth int) (out []field, err error) {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	for _, source := range sources {
		if source, err = r.enter(source, depth); err != nil {
			return nil, err
		}
		if source.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("line %d: << takes a mapping or a list of mappings", source.Line)
		}
		more, err := r.fields(source, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// leaves adds the settings of a mapping.
func (r *fileReader) leaves(prefix string, n *yaml.Node, depth int) error {
	fields, err := r.fields(n, depth)
	for _, f := range fields {
		key := JoinKey(prefix, f.key.Value)
		below, err := r.fields(f.value, depth+1)
		if err != nil {
			return err
		}
		isOdd := slices.ContainsFunc(below, func(f field) bool { return isOdd(f.key.Value) })
		if f.value.Kind == yaml.MappingNode && len(below) > 0 && !isOdd {
			if err := r.leaves(key, f.value, depth+1); err != nil {
				return err
			}
			continue
		}
		value, err := r.value(f.value, depth+1)
		if err != nil {
			return err
		}
		r.settings = append(r.settings, &Setting{
			Key: key, Value: value, Level: File, Origin: fmt.Sprintf("%s:%d", r.origin, f.key.Line),
			Path: []string{"config"}, Empty: value == nil && f.value.Value == "",
		})
	}
	return err
}

// value returns a node as a value.
func (r *fileReader) value(n *yaml.Node, depth int) (any, error) {
	n, err := r.enter(n, depth)
	if err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.MappingNode:
		fields, err := r.fields(n, depth)
		out := make(map[string]any, len(fields))
		for _, f := range fields {
			if out[f.key.Value], err = r.value(f.value, depth+1); err != nil {
				return nil, err
			}
		}
		return out, err
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, element := range n.Content {
			if out[i], err = r.value(element, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	out, err := scalar(n)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return out, nil
}

// JoinKey appends a name to a dotted key, which may be empty.
func JoinKey(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// YAML returns settings as the text of a file for OmegaConf.
func YAML(all []Setting) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# Written by awhost: what it needs, what the spec says, and defaults. `awhost plan` shows " +
		"where each value comes from.\n")
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(literal(Nested(all))); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

var interpolation = regexp.MustCompile(`\\*\$\{`)

// plainText is text that every YAML parser reads as text, except for words such as yes, which the encoder quotes.
var plainText = regexp.MustCompile(`^[A-Za-z/][\w/.-]*$`)

// literal returns a value whose encoding has the same type for OmegaConf. It escapes interpolations in Verbatim text:
// backslashes in front of one are doubled, so that they are kept.
func literal(v any) any {
	switch v := v.(type) {
	case Verbatim:
		return literal(interpolation.ReplaceAllStringFunc(string(v), func(found string) string {
			backslashes := found[:len(found)-len("${")]
			return backslashes + backslashes + `\${`
		}))
	case string:
		if !plainText.MatchString(v) {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(v, 'f', 1, 64)}
		}
	}
	out, _ := each(v, func(v any) (any, error) { return literal(v), nil })
	return out
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
