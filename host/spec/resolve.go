package spec

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// resolve returns the nodes that a traversal refers to: one node, or all blocks of a kind or type for a shorter
// traversal.
func (s *scope) resolve(t hcl.Traversal) ([]*node, bool) {
	root := t.RootName()
	switch {
	case root == "var" || root == "local":
		return s.resolveNamed(t, 2)
	case isComponentKind(root):
		names := stepNames(t, 3)
		if len(names) == 3 {
			return s.resolveNamed(t, 3)
		}
		return s.resolveAll(t, strings.Join(names, ".")+".")
	}
	s.reportUnknownRoot(t)
	return nil, false
}

func (s *scope) resolveNamed(t hcl.Traversal, parts int) ([]*node, bool) {
	names := stepNames(t, parts)
	if len(names) < parts {
		s.fail(t.SourceRange(), "Incomplete reference", fmt.Sprintf("Write %s.NAME: one of %s.", t.RootName(),
			listed(s.addresses(t.RootName()+"."))))
		return nil, false
	}
	address := strings.Join(names, ".")
	n, ok := s.nodes[address]
	if !ok {
		s.reportUndeclared(address, t)
		return nil, false
	}
	if n.kind == "local" && s.needsEpisode(n) {
		s.fail(t.SourceRange(), "Value of an episode", address+" depends on rewards or the episode, so it has a value only "+
			"in reward, success, advance_when, and condition expressions.")
		return nil, false
	}
	return []*node{n}, true
}

func (s *scope) resolveAll(t hcl.Traversal, prefix string) ([]*node, bool) {
	var found []*node
	for _, n := range s.order {
		if strings.HasPrefix(n.address, prefix) {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		s.reportUndeclared(strings.TrimSuffix(prefix, "."), t)
		return nil, false
	}
	return found, true
}

// addresses returns the sorted addresses below a prefix.
func (s *scope) addresses(prefix string) []string {
	var found []string
	for address := range s.nodes {
		if strings.HasPrefix(address, prefix) {
			found = append(found, address)
		}
	}
	sort.Strings(found)
	return found
}

func (s *scope) reportUndeclared(address string, t hcl.Traversal) {
	known := s.addresses(t.RootName() + ".")
	detail := fmt.Sprintf("This spec does not declare %s.", address)
	if hint := didYouMean(address, known); hint != "" {
		detail += hint
	} else if len(known) > 0 {
		detail += fmt.Sprintf(" It declares %s.", listed(known))
	} else {
		detail += fmt.Sprintf(" It declares no %s.", blockFor(t.RootName()))
	}
	s.fail(t.SourceRange(), "Undeclared reference", detail)
}

// blockFor returns the name of the block that declares a root name.
func blockFor(root string) string {
	switch root {
	case "var":
		return "variable"
	case "local":
		return "locals"
	}
	return root
}

func (s *scope) reportUnknownRoot(t hcl.Traversal) {
	root := t.RootName()
	switch root {
	case "episode":
		s.fail(t.SourceRange(), "Value of an episode",
			"episode.num_turns and episode.truncated have a value only in reward and success expressions.")
		return
	case "validation":
		s.fail(t.SourceRange(), "Value of a validation",
			"validation.success_rate and validation.reward have a value only in the advance_when of a stage and the "+
				"condition of expect.")
		return
	case "train":
		s.fail(t.SourceRange(), "Value of a finished run", "The result of a train block is known only after it has run: "+
			"only output blocks may refer to it.")
		return
	}
	detail := fmt.Sprintf("%s is not declared here.", root)
	switch literal, python := pythonLiterals[root]; {
	case python:
		detail += fmt.Sprintf(" HCL writes %s.", literal)
	case len(t) == 1:
		detail += fmt.Sprintf(" If you mean a string, quote it: %q.", root)
	}
	detail += didYouMean(root, append([]string{"var", "local"}, componentKinds...))
	s.fail(t.SourceRange(), "Unknown name", detail)
}
