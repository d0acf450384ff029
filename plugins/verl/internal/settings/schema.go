package settings

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// schema is the configuration that a verl knows: its generated reference file, and the fields of the dataclasses that
// the file names.
type schema struct {
	file    string
	top     *framework.Tree
	classes *classes
}

// defaultEngine is verl's own choice: FSDP.
const defaultEngine = "dp"

// engines are the values of model_engine with a reference file each.
var engines = []string{defaultEngine, "megatron", "torchtitan", "veomni"}

func generatedFile(engine string) string {
	if engine == defaultEngine {
		return "_generated_ppo_trainer.yaml"
	}
	return "_generated_ppo_" + engine + "_trainer.yaml"
}

// schema reads the reference file of an engine.
func (i *Installed) schema(engine string) (*schema, error) {
	if s := i.schemas[engine]; s != nil {
		return s, nil
	}
	path := filepath.Join(i.Root, "verl", "trainer", "config", generatedFile(engine))
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of verl %s for the engine %s: %w", i.Version, engine, err)
	}
	top, err := framework.ReadTree(text)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of verl %s: %s: %w", i.Version, path, err)
	}
	s := &schema{file: path, top: top, classes: &classes{root: i.Root, files: map[string]map[string]*dataclass{}}}
	if i.schemas == nil {
		i.schemas = map[string]*schema{}
	}
	i.schemas[engine] = s
	return s, nil
}

// kind says what a verl makes of a key.
type kind int

const (
	unknown kind = iota // Hydra refuses it, or a dataclass does
	known               // the reference file has it: key=value
	field               // only a dataclass has it: +key=value
	free                // below a mapping that takes anything: ++key=value
	section             // a mapping with settings of its own
)

// place is what a schema says of a key.
type place struct {
	kind       kind
	leaf       *framework.Tree // of known
	annotation string          // of a dataclass's field; may be empty
	strict     bool            // unknown, and no + makes it known: the dataclass above has no such field
}

// freeMappings take any key, although the reference file lists some, or none.
var freeMappings = []string{
	"ray_kwargs.ray_init", "transfer_queue", "trainer.wandb_proxy", "actor_rollout_ref.rollout.custom", "actor_rollout_ref.rollout.engine_kwargs",
	"reward.custom_reward_function.reward_kwargs", "custom_reward_function.reward_kwargs", "reward.reward_kwargs", "reward_model.reward_kwargs",
}

// at looks a key up.
func (s *schema) at(key string) place {
	here, path := s.top, ""
	fields := map[string]string(nil)
	rest := strings.Split(key, ".")
	for n, name := range rest {
		fields = s.fieldsOf(here)
		child := here.Children[name]
		path = framework.JoinKey(path, name)
		if child == nil {
			return s.absent(key, rest[n:], fields, here)
		}
		if child.Children == nil && n < len(rest)-1 {
			return s.belowLeaf(key, child, fields[name])
		}
		here = child
		if n == len(rest)-1 && child.Children == nil {
			return place{kind: known, leaf: child, annotation: fields[name]}
		}
	}
	return place{kind: section, leaf: here}
}

func isFree(key string) bool {
	return slices.ContainsFunc(freeMappings, func(f string) bool { return key == f || strings.HasPrefix(key, f+".") })
}

// absent is a key that the reference file lacks from some point on.
func (s *schema) absent(key string, rest []string, fields map[string]string, above *framework.Tree) place {
	annotation, isField := fields[rest[0]]
	switch {
	case isField && len(rest) == 1:
		return place{kind: field, annotation: annotation}
	case isFree(key):
		return place{kind: free}
	case isField:
		return s.belowField(annotation, rest[1:])
	}
	return place{strict: fields != nil, leaf: above}
}

// belowField is a key below a field that only a dataclass has: a mapping, or another dataclass.
func (s *schema) belowField(annotation string, rest []string) place {
	if typeOf(annotation).has(mapping) {
		return place{kind: free}
	}
	return place{strict: true}
}

// belowLeaf is a key below something that has a value in the reference file: {} and mappings that are empty by default.
func (s *schema) belowLeaf(key string, leaf *framework.Tree, annotation string) place {
	_, isMapping := leaf.Value.(map[string]any)
	if isMapping || isFree(key) || leaf.Value == nil && typeOf(annotation).has(mapping) && annotation != "" {
		return place{kind: free}
	}
	return place{strict: true, leaf: leaf}
}

// fieldsOf are the fields of the dataclass that a node becomes; nil: it becomes none, or its class was not found.
func (s *schema) fieldsOf(node *framework.Tree) map[string]string {
	target := node.Children["_target_"]
	if target == nil {
		return nil
	}
	name, ok := target.Value.(string)
	if !ok {
		return nil
	}
	return s.classes.fields(name)
}

// keys are all settings with a default, in the order of the reference file.
func (s *schema) keys() []string {
	var out []string
	s.top.Leaves("", func(key string, _ *framework.Tree) {
		if !strings.HasSuffix(key, "_target_") {
			out = append(out, key)
		}
	})
	return out
}

// siblings are the names that would be known where a key is not.
func (s *schema) siblings(above *framework.Tree) []string {
	if above == nil {
		return nil
	}
	names := slices.Collect(maps.Keys(above.Children))
	names = slices.AppendSeq(names, maps.Keys(s.fieldsOf(above)))
	slices.Sort(names)
	return slices.Compact(names)
}

// has says whether a verl knows a key, with or without a +.
func (s *schema) has(key string) bool {
	switch s.at(key).kind {
	case known, field, section:
		return true
	}
	return false
}
