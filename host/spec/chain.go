package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// policyAttribute names the model that a train block trains, or the train block from whose checkpoint it starts.
const policyAttribute = "policy"

// linkTrains resolves the train blocks from whose checkpoints other train blocks start. declared also has the train
// blocks with errors, which have been reported.
func (s *scope) linkTrains(out *Spec, declared map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(out.Trains)) {
		train := out.Trains[name]
		if train.start == nil {
			continue
		}
		from, ok := s.checkResult(train.start, declared)
		if names := stepNames(train.start, 4); ok && (len(names) != 3 || names[2] != "checkpoint") {
			s.fail(train.start.SourceRange(), "Not a policy", fmt.Sprintf("policy takes a model block or the checkpoint of a "+
				"train block. Write train.%s.checkpoint.", from))
			continue
		}
		if ok {
			train.Start = from
		}
	}
	for _, name := range slices.Sorted(maps.Keys(out.Trains)) {
		path := out.origins(name)
		if len(path) == 0 {
			continue
		}
		if root := out.Trains[path[0]]; path[0] != name && root.Start == "" {
			out.Trains[name].Policy = root.Policy
			continue
		}
		if slices.Contains(path, name) { // other blocks only depend on the cycle
			t := out.Trains[name]
			s.fail(t.start.SourceRange(), "Cyclic reference", fmt.Sprintf("train.%s starts from its own checkpoint: it depends "+
				"on %s. Give one of them a model as its policy.", name, strings.Join(prefixed("train.", path), ", ")))
		}
	}
}

// origins lists the train blocks on whose checkpoints a train block depends, the first to train first. In a cycle, the
// block itself is among them.
func (s *Spec) origins(name string) []string {
	var out []string
	for t := s.Trains[name]; t != nil && t.Start != "" && s.Trains[t.Start] != nil && !slices.Contains(out, t.Start); {
		out = append(out, t.Start)
		t = s.Trains[t.Start]
	}
	slices.Reverse(out)
	return out
}

// Chain lists all train blocks in the order in which they train: each after the block from whose checkpoint it starts,
// otherwise by name. It returns nil if no train block starts from another one.
func (s *Spec) Chain() []string {
	var out []string
	linked := false
	for _, name := range slices.Sorted(maps.Keys(s.Trains)) {
		linked = linked || s.Trains[name].Start != ""
		for _, next := range append(s.origins(name), name) {
			if !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	if !linked {
		return nil
	}
	return out
}
