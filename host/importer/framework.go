package importer

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

// megatronTrainer is verl's configuration for the model engine Megatron.
const megatronTrainer = "ppo_megatron_trainer"

// blocks lists the blocks of train in the order in which they are written.
var blocks = []string{
	"batch", "mini_batch", "optimizer", "algorithm", "sampling", "limits", "filter_groups", "validate", "checkpoint",
	"tracking", "env",
}

// keeps returns the place of keys that the adapter has under their names.
func (w *writer) keeps() string {
	if w.config.system.flags {
		return "adapter." + w.options.Adapter + ".trainer.config"
	}
	return "adapter." + w.options.Adapter + ".trainer.overrides"
}

// keep writes a key into the adapter's settings.
func (w *writer) keep(path string) {
	w.kept[path] = true
	v := w.config.values[path]
	if w.config.system.flags {
		put(w.adapter, "config."+path, w.expression(v.node))
		return
	}
	w.override(v.prefix+path, w.expression(v.node))
}

func (w *writer) override(key, expression string) {
	all, ok := w.adapter["overrides"].(map[string]any)
	if !ok {
		all = map[string]any{}
		w.adapter["overrides"] = all
	}
	all[key] = expression
}

// convert writes all keys that the table converts by itself, and keeps the keys that it does not list. Of several keys
// for an attribute, the first one in the table counts. Without GRPO, the settings of the objective are kept, too.
func (w *writer) convert(grpo bool) {
	rank := map[string]int{}
	for _, path := range w.config.order {
		key, _ := w.config.system.keyOf(path)
		rank[path] = slices.IndexFunc(w.config.system.Keys, func(k Key) bool { return k.Path == key.Path })
	}
	order := slices.Clone(w.config.order)
	slices.SortStableFunc(order, func(a, b string) int { return rank[a] - rank[b] })
	for _, path := range order {
		if w.config.values[path].problem != "" {
			continue
		}
		key, known := w.config.system.keyOf(path)
		switch {
		case w.unused(key) || w.needsVerl(key) || !known && w.config.system.root != "":
		case !known || key.As == "kept" || !grpo && strings.HasPrefix(key.To, "train.algorithm"):
			w.keep(path)
		case key.To == "train.env":
			w.set("train.env."+strings.TrimPrefix(path, "env."), quoted(w.config.values[path].node.Value))
		case key.As != "":
			w.one(path, key)
		}
	}
	w.grpo = grpo
}

// one writes a key as the attribute that the table names.
func (w *writer) one(path string, key Key) {
	var number float64
	var expression string
	switch node := w.config.values[path].node; {
	case key.Values != nil:
		var text string
		if node.Tag == "!!null" {
			text = "null"
		} else if !w.look(path, &text) {
			return
		}
		to, ok := key.Values[text]
		if !ok {
			w.lose(path, fmt.Sprintf("%s has no %q: awhost's default applies", key.To, text))
			return
		}
		if expression = to; key.As == "text" {
			expression = quoted(to)
		}
	case node.Tag == "!!null":
		w.lose(path, "it is empty: the default applies")
		return
	case key.As == "text":
		var text string
		if !w.look(path, &text) {
			return
		}
		expression = quoted(text)
	case key.As == "number" || key.As == "whole" || key.As == "positive":
		if !w.look(path, &number) {
			return
		}
		if key.Most != nil && number > *key.Most {
			w.keep(path) // the attribute does not take it, and the framework does
			return
		}
		if key.As != "number" && number != math.Trunc(number) {
			w.lose(path, "it is not a whole number: write "+key.To)
			return
		}
		if key.As == "positive" && number <= 0 {
			w.lose(path, fmt.Sprintf("%s is not written for %g: awhost's default applies", key.To, number))
			return
		}
		expression = string(hclwrite.TokensForValue(cty.NumberFloatVal(number)).Bytes())
	default: // bool, list, any
		expression = w.expression(node)
		if key.As == "list" && node.Kind == yaml.ScalarNode {
			expression = "[" + expression + "]"
		}
	}
	if !w.set(key.To, expression) {
		w.lose(path, "another key of the file becomes "+key.To)
	}
}

// quoted returns a text as an HCL expression.
func quoted(text string) string { return string(hclwrite.TokensForValue(cty.StringVal(text)).Bytes()) }

// look decodes a value of the file. A value of another type is left out with the reason, or is an error in a
// configuration of AgentJet.
func (w *writer) look(path string, into any) bool {
	if !w.config.given(path) {
		return false
	}
	if !w.config.system.Scripts {
		return w.get(path, into)
	}
	ok, err := w.config.decode(path, into)
	if err != nil {
		w.lose(path, err.Error())
	}
	return ok && err == nil
}

// set writes an attribute of train, of the agent or of the adapter. It returns false if it is set already.
func (w *writer) set(to, expression string) bool {
	if strings.HasPrefix(to, "adapter.") {
		put(w.adapter, strings.SplitN(to, ".", 4)[3], expression)
		return true
	}
	if w.has(to) {
		return false
	}
	w.attributes[to] = expression
	return true
}

func (w *writer) has(to string) bool { return w.attributes[to] != "" }

// write writes the attributes of a block.
func (w *writer) write(body *hclwrite.Body, prefix string) {
	for _, to := range slices.Sorted(maps.Keys(w.attributes)) {
		if name, ok := strings.CutPrefix(to, prefix); ok && !strings.Contains(name, ".") {
			raw(body, name, w.attributes[to])
		}
	}
}

// drop removes the attributes of a block of train.
func (w *writer) drop(block string) {
	maps.DeleteFunc(w.attributes, func(to, _ string) bool { return strings.HasPrefix(to, "train."+block+".") })
}

// length writes steps, or else epochs from the first of the keys that is set, or else the system's default.
func (w *writer) length(keys ...string) {
	var epochs float64
	for _, key := range keys {
		switch {
		case w.has("train.steps"):
			w.lose(key, "the number of steps counts")
		case w.look(key, &epochs):
			if !w.set("train.epochs", fmt.Sprint(epochs)) {
				w.lose(key, "another key of the file becomes train.epochs")
			}
		}
	}
	if !w.has("train.steps") && !w.has("train.epochs") {
		key, _ := w.config.system.keyOf(keys[0])
		w.set("train.epochs", key.Default)
	}
}

// size returns a whole number of the file, or a default.
func (w *writer) size(path string, preset int) int {
	n := preset
	w.look(path, &n)
	return n
}

// finish writes the agent, the model, the adapter and the train block, after the datasets and the rewards. agent is the
// file and the name of the user's agent, or empty.
func (w *writer) finish(agent [2]string) {
	kind := "react"
	if agent[0] != "" {
		kind = "python"
		w.variable("agent", cty.StringVal(agent[0]), "the Python file of the agent")
	}
	body := w.block("agent", kind, "solver")
	if agent[0] != "" {
		raw(body, "file", "var.agent")
		body.SetAttributeValue("name", cty.StringVal(agent[1]))
	}
	w.write(body, "agent.react.solver.")
	w.agent = "agent." + kind + ".solver"
	var model string
	for _, key := range w.config.system.Keys {
		if strings.HasPrefix(key.To, "variable.model") && w.look(key.Path, &model) {
			break
		}
	}
	w.wanted("model", model, "the policy: an absolute path of a directory, or a name on the hub")
	raw(w.block("model", "hf", "policy"), "path", "var.model")
	w.variable("python", cty.StringVal(".venv/bin/python"), "the Python that has "+w.config.system.Title)
	w.adapterBlock("var.python")
	stem, _, _ := strings.Cut(filepath.Base(w.config.name), ".")
	w.trainBlock(stem)
}

// adapterBlock writes the adapter with its settings.
func (w *writer) adapterBlock(python string) {
	body := w.block("adapter", w.options.Adapter, "trainer")
	if python != "" {
		raw(body, "python", python)
	}
	for _, setting := range slices.Sorted(maps.Keys(w.adapter)) {
		text, ok := w.adapter[setting].(string)
		if !ok {
			text = object(w.adapter[setting].(map[string]any))
		}
		raw(body, setting, text)
	}
}

// wanted declares a variable, without a default if the file does not have the value.
func (w *writer) wanted(name, preset, description string) {
	if preset != "" {
		w.variable(name, cty.StringVal(preset), description)
		return
	}
	body := w.block("variable", name)
	raw(body, "type", "string")
	body.SetAttributeValue("description", cty.StringVal(description+"; it has no value in "+base(w.config.name)))
}

// trainBlock writes the train block with the attributes that are set.
func (w *writer) trainBlock(name string) {
	train := w.block("train", identifier(name))
	raw(train, "agent", w.agent)
	raw(train, "dataset", w.datasets[0])
	if w.datasets[1] != "" {
		raw(train, "validation", w.datasets[1])
	}
	raw(train, "adapter", "adapter."+w.options.Adapter+".trainer")
	if w.options.Adapter != "local" {
		raw(train, "policy", "model.hf.policy")
	}
	raw(train, "reward", w.reward)
	if w.success != "" {
		raw(train, "success", w.success)
	}
	w.write(train, "train.")
	for _, name := range blocks {
		var labels []string
		if name == "algorithm" {
			labels = []string{"grpo"}
		}
		prefix := "train." + name + "."
		if !w.sets(prefix) && !(w.grpo && name == "algorithm") {
			continue
		}
		body := part(train, name, labels...)
		w.write(body, prefix)
		if w.sets(prefix + "sampling.") {
			w.write(part(body, "sampling"), prefix+"sampling.")
		}
	}
}

// sets reports whether a place with a prefix has an attribute.
func (w *writer) sets(prefix string) bool {
	for to := range w.attributes {
		if strings.HasPrefix(to, prefix) {
			return true
		}
	}
	return false
}

func part(body *hclwrite.Body, name string, labels ...string) *hclwrite.Body {
	body.AppendNewline()
	return body.AppendNewBlock(name, labels).Body()
}

// writeBetas writes the two numbers of a list.
func (w *writer) writeBetas(key string) {
	var betas []float64
	if !w.look(key, &betas) {
		return
	}
	if len(betas) != 2 {
		w.lose(key, "a list of two numbers is needed")
		return
	}
	w.set("train.optimizer.beta1", fmt.Sprint(betas[0]))
	w.set("train.optimizer.beta2", fmt.Sprint(betas[1]))
}

// identifier converts a string to a valid name.
func identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, text)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "run_" + name
	}
	return name
}
