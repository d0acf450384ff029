package ajet

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// value is one of a configuration.
type value struct {
	path string
	line int // 0: a default
	node *yaml.Node
}

// config is a configuration of AgentJet's: its values by path, and their order.
type config struct {
	name   string // of the file
	values map[string]value
	order  []string
}

// maxDepth bounds the nesting of keys.
const maxDepth = 32

// read reads a configuration. Keys of older releases, whose root is astune or astuner, are read as ajet's.
func read(name string, text []byte) (*config, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w: correct the YAML", name, err)
	}
	c := &config{name: name, values: map[string]value{}}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s is no configuration of AgentJet's: it has no keys", name)
	}
	if err := c.add("", document.Content[0], 0); err != nil {
		return nil, err
	}
	for _, path := range c.order {
		if strings.HasPrefix(path, "ajet.") {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s is no configuration of AgentJet's: it has no key ajet", name)
}

func (c *config) add(path string, node *yaml.Node, depth int) error {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if depth > maxDepth {
		return fmt.Errorf("%s:%d: %s is nested too deeply", c.name, node.Line, path)
	}
	if node.Kind != yaml.MappingNode || len(node.Content) == 0 {
		if _, twice := c.values[path]; twice {
			return fmt.Errorf("%s:%d: %s is there twice: take one of them away", c.name, node.Line, path)
		}
		c.values[path] = value{path, node.Line, node}
		c.order = append(c.order, path)
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		if depth == 0 && (key == "astune" || key == "astuner") {
			key = "ajet"
		}
		if path != "" {
			key = path + "." + key
		}
		if err := c.add(key, node.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	return nil
}

// given reports whether the file has a value for a key.
func (c *config) given(path string) bool {
	v, ok := c.values["ajet."+path]
	return ok && v.node.Tag != "!!null"
}

// decode reads a value, or AgentJet's default of it. It reports false where there is neither.
func (c *config) decode(path string, into any) (bool, error) {
	path = "ajet." + path
	v, ok := c.values[path]
	if !ok {
		for _, key := range Keys {
			if key.Path == path && key.Default != "" {
				return true, yaml.Unmarshal([]byte(key.Default), into)
			}
		}
		return false, nil
	}
	if v.node.Tag == "!!null" {
		return false, nil
	}
	if err := v.node.Decode(into); err != nil {
		var wrong *yaml.TypeError
		if errors.As(err, &wrong) {
			err = errors.New(strings.Join(wrong.Errors, "; "))
		}
		return false, fmt.Errorf("%s:%d: %s = %q: %w", c.name, v.line, path, v.node.Value, err)
	}
	return true, nil
}

// fail is about a value of the file.
func (c *config) fail(path, problem string) error {
	return fmt.Errorf(
		"%s:%d: ajet.%s = %q: %s",
		c.name,
		c.values["ajet."+path].line,
		path,
		c.values["ajet."+path].node.Value,
		problem,
	)
}
