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

// attribute is an attribute of the train block, or of a block in it.
type attribute struct{ block, name, expression string }

// blocks lists the blocks of train in the order in which they are written.
var blocks = []string{
	"", "batch", "mini_batch", "optimizer", "algorithm", "sampling", "limits", "filter_groups", "validate",
	"validate.sampling", "checkpoint", "tracking", "env",
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
	if grpo && !slices.ContainsFunc(w.attributes, func(a attribute) bool { return a.block == "algorithm" }) {
		w.attributes = append(w.attributes, attribute{block: "algorithm"})
	}
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

// set writes an attribute of train or of the adapter. It returns false if it is set already.
func (w *writer) set(to, expression string) bool {
	rest, isTrain := strings.CutPrefix(to, "train.")
	if !isTrain {
		put(w.adapter, strings.SplitN(to, ".", 4)[3], expression)
		return true
	}
	a := attribute{name: rest, expression: expression}
	if dot := strings.LastIndex(rest, "."); dot >= 0 {
		a.block, a.name = rest[:dot], rest[dot+1:]
	}
	if w.has(to) {
		return false
	}
	w.attributes = append(w.attributes, a)
	return true
}

// has reports whether an attribute of train is set.
func (w *writer) has(to string) bool {
	return slices.ContainsFunc(w.attributes, func(a attribute) bool {
		return "train."+strings.TrimPrefix(a.block+"."+a.name, ".") == to
	})
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

// part is the block that a framework's spec has in addition to the ones of its keys.
type parts struct {
	model  []string  // keys of the policy's path, of which the first one that is set counts
	policy string    // the system's default policy; empty: it has none
	turns  []string  // keys of the number of messages
	system string    // key of the system message
	agent  [2]string // file and name of the user's agent; empty: react
	plugin bool      // the adapter is not bundled
}

// finish writes the blocks. The datasets and the rewards are written already.
func (w *writer) finish(p parts) {
	if p.agent[0] != "" {
		w.variable("agent", cty.StringVal(p.agent[0]), "the Python file of the agent")
		body := w.block("agent", "python", "solver")
		raw(body, "file", "var.agent")
		body.SetAttributeValue("name", cty.StringVal(p.agent[1]))
		w.turns(body, p.turns)
		w.agent = "agent.python.solver"
	} else {
		body := w.block("agent", "react", "solver")
		var prompt string
		switch {
		case p.system == "" || !w.look(p.system, &prompt):
		case filepath.Ext(prompt) == ".txt":
			w.lose(p.system, "it is a file: write its text")
		default:
			body.SetAttributeValue("system_prompt", cty.StringVal(prompt))
		}
		w.turns(body, p.turns)
		w.agent = "agent.react.solver"
	}
	model := p.policy
	for _, key := range p.model {
		if w.look(key, &model) {
			break
		}
	}
	const about = "the policy: an absolute path of a directory, or a name on the hub"
	w.wanted("model", model, about)
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

// turns writes the number of messages of an episode.
func (w *writer) turns(body *hclwrite.Body, keys []string) {
	var most int64
	for _, key := range keys {
		if w.look(key, &most) && most > 0 {
			body.SetAttributeValue("max_turns", cty.NumberIntVal(most))
			return
		}
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
	body.SetAttributeValue("description", cty.StringVal(description+"; "+base(w.config.name)+" does not name it"))
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
	var validate *hclwrite.Body
	for _, name := range blocks {
		all := slices.DeleteFunc(slices.Clone(w.attributes), func(a attribute) bool { return a.block != name })
		if len(all) == 0 {
			continue
		}
		body := train
		switch name {
		case "":
		case "algorithm":
			body = part(train, name, "grpo")
		case "validate.sampling":
			if validate == nil {
				validate = part(train, "validate")
			}
			body = part(validate, "sampling")
		default:
			body = part(train, name)
		}
		if name == "validate" {
			validate = body
		}
		for _, a := range all {
			if a.name != "" {
				raw(body, a.name, a.expression)
			}
		}
	}
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
