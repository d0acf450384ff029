// Package compare compares two runs: their curves and final values, and the differences between their specs, variables,
// data, plugins and machines.
//
//	c, err := compare.Runs(a, b)
//	for _, d := range c.Spec {
//		fmt.Println(d.Path, d.A, d.B) // train.optimizer.learning_rate 0.001 0.01
//	}
//
// It reads only the runs' records: the runs may come from other machines and from deleted specs. The package must not
// depend on the presentation.
package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/runstore"
)

// Comparison holds the differences between two runs, sorted by path.
type Comparison struct {
	A, B      Side
	Metrics   []Metric     // by name
	Spec      []Difference // of the train block, by its settings, and of the blocks, by their addresses
	Variables []Difference
	Data      []Difference // by the address of the dataset
	Plugins   []Difference // by the address of the block
	Machine   []Difference // and the version of awhost
	// Unrecorded lists the parts that cannot be compared because a run by an earlier version did not record them:
	// "data", "plugins".
	Unrecorded []string
}

// Side is one of the runs.
type Side struct {
	Summary runstore.Summary
	Digest  string // digest of the newest checkpoint; empty before the first one
}

// Metric holds a metric's curve for each run; one of the curves may be empty.
type Metric struct {
	Name string
	A, B Curve
}

// Curve holds the values of a metric in chronological order.
type Curve struct {
	Steps  []int
	Values []float64
}

// Last returns the last value, or false if the curve is empty.
func (c Curve) Last() (float64, bool) {
	if len(c.Values) == 0 {
		return 0, false
	}
	return c.Values[len(c.Values)-1], true
}

// Difference is a value that differs. It is nil on a side that does not have the value.
type Difference struct {
	Path string
	A, B json.RawMessage
}

// Runs compares two runs, which may be in progress.
func Runs(a, b *runstore.Run) (*Comparison, error) {
	out := &Comparison{}
	var err error
	if out.A, err = sideOf(a); err != nil {
		return nil, err
	}
	if out.B, err = sideOf(b); err != nil {
		return nil, err
	}
	if out.Metrics, err = metrics(a, b); err != nil {
		return nil, err
	}
	if err := out.specs(a, b); err != nil {
		return nil, err
	}
	out.parts(a.Info, b.Info)
	return out, nil
}

func sideOf(run *runstore.Run) (Side, error) {
	summary, err := run.Summary()
	if err != nil {
		return Side{}, err
	}
	side := Side{Summary: summary}
	lineage, err := run.Lineage()
	if err != nil {
		return Side{}, err
	}
	if len(lineage) > 0 {
		side.Digest = lineage[len(lineage)-1].Digest
	}
	return side, nil
}

func metrics(a, b *runstore.Run) ([]Metric, error) {
	both := map[string]*Metric{}
	collect := func(run *runstore.Run, curve func(*Metric) *Curve) error {
		for row, err := range run.Metrics() {
			if err != nil {
				return err
			}
			for name, value := range row.Values {
				if both[name] == nil {
					both[name] = &Metric{Name: name}
				}
				c := curve(both[name])
				c.Steps, c.Values = append(c.Steps, row.Step), append(c.Values, value)
			}
		}
		return nil
	}
	if err := collect(a, func(m *Metric) *Curve { return &m.A }); err != nil {
		return nil, err
	}
	if err := collect(b, func(m *Metric) *Curve { return &m.B }); err != nil {
		return nil, err
	}
	var out []Metric
	for _, name := range slices.Sorted(maps.Keys(both)) {
		out = append(out, *both[name])
	}
	return out, nil
}

// parts compares the contents of run.json.
func (c *Comparison) parts(a, b runstore.Info) {
	if len(a.Data) > 0 && len(b.Data) > 0 {
		c.Data = differences("", dataOf(a), dataOf(b))
	} else {
		c.Unrecorded = append(c.Unrecorded, "data")
	}
	if len(a.Plugins) > 0 && len(b.Plugins) > 0 {
		c.Plugins = differences("", pluginsOf(a), pluginsOf(b))
	} else {
		c.Unrecorded = append(c.Unrecorded, "plugins")
	}
	c.Machine = differences("", machineOf(a, b), machineOf(b, a))
}

func dataOf(info runstore.Info) map[string]any {
	out := map[string]any{}
	for _, d := range info.Data {
		out[d.Address] = map[string]any{"tasks": float64(d.Tasks), "fingerprint": d.Fingerprint}
	}
	return out
}

func pluginsOf(info runstore.Info) map[string]any {
	out := map[string]any{}
	for _, p := range info.Plugins {
		out[p.Address] = map[string]any{"plugin": p.Plugin, "version": p.Version, "hash": p.Hash}
	}
	return out
}

// machineOf returns a machine's properties, including only those processor features that the other machine lacks.
func machineOf(info, other runstore.Info) map[string]any {
	out := map[string]any{
		"os": info.Machine.OS, "arch": info.Machine.Arch, "cores": float64(info.Machine.Cores), "awhost": info.Awhost,
		"protocol": float64(info.Protocol),
	}
	for _, feature := range info.Machine.CPUFeatures {
		if !slices.Contains(other.Machine.CPUFeatures, feature) {
			out["cpu_features."+feature] = true
		}
	}
	return out
}

// specs compares the resolved specs of the runs.
func (c *Comparison) specs(a, b *runstore.Run) error {
	resolvedA, err := readSpec(a)
	if err != nil {
		return err
	}
	resolvedB, err := readSpec(b)
	if err != nil {
		return err
	}
	c.Variables = differences("", resolvedA.Variables, resolvedB.Variables)
	c.Spec = append(differences("train", resolvedA.train(a.Info), resolvedB.train(b.Info)),
		differences("", resolvedA.Blocks, resolvedB.Blocks)...)
	return nil
}

// resolved is spec.resolved.json.
type resolved struct {
	Variables map[string]any            `json:"variables"`
	Blocks    map[string]any            `json:"blocks"`
	Trains    map[string]map[string]any `json:"trains"`
}

func readSpec(run *runstore.Run) (*resolved, error) {
	text, err := run.Spec()
	if err != nil {
		return nil, err
	}
	out := &resolved{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fmt.Errorf("read the spec of run %s: %w", run.Ref(), err)
	}
	return out, nil
}

// train returns a run's train block as in a spec: with the settings of its only stage, or with its stages by name.
func (r *resolved) train(run runstore.Info) map[string]any {
	out := map[string]any{}
	for name, train := range r.Trains {
		if !run.IsOf(name) {
			continue
		}
		for key, value := range train {
			out[key] = value
		}
	}
	stages, _ := out["stages"].([]any)
	delete(out, "stages")
	byName := map[string]any{}
	for _, entry := range stages {
		stage, _ := entry.(map[string]any)
		name, _ := stage["name"].(string)
		flat := map[string]any{}
		for key, value := range stage {
			if knobs, ok := value.(map[string]any); ok && key == "knobs" {
				maps.Copy(flat, knobs)
			} else if key != "name" {
				flat[key] = value
			}
		}
		if len(stages) == 1 {
			maps.Copy(out, flat)
			return out
		}
		byName[name] = flat
	}
	out["stage"] = byName
	return out
}
