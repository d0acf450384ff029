package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// claims gathers what the user wrote in verl's own words, in the order in which it is read.
func (r *resolver) claims() []*setting {
	var out []*setting
	for _, file := range r.req.Config {
		out = append(out, r.fromFile(file)...)
	}
	for _, key := range slices.Sorted(maps.Keys(r.req.Overrides)) {
		out = append(out, r.fromOverride(key, r.req.Overrides[key])...)
	}
	for _, key := range slices.Sorted(maps.Keys(r.req.Knobs.Overrides)) {
		out = append(out, r.fromCommand(key, r.req.Knobs.Overrides[key])...)
	}
	return out
}

// fromFile reads a YAML file. What is empty in it says nothing.
func (r *resolver) fromFile(file ConfigFile) []*setting {
	top, err := framework.ReadTree(file.Text)
	if err != nil {
		r.fail([]string{"config"}, "Unreadable configuration of verl", "%s: %v.", file.Name, err)
		return nil
	}
	var out []*setting
	top.Leaves("", func(key string, leaf *framework.Tree) {
		origin := fmt.Sprintf("%s%s:%d", fromFiles, file.Name, leaf.Line)
		first, _, _ := strings.Cut(key, ".")
		switch {
		case first == "hydra" || first == "defaults":
			out = append(out, r.fromHydra(key, leaf.Value, origin)...)
		case leaf.Value == nil || key == "_target_" || strings.HasSuffix(key, "._target_"):
		default:
			if object, empty := leaf.Value.(map[string]any); !empty || len(object) > 0 {
				out = append(out, &setting{key: key, value: leaf.Value, origin: origin, path: []string{"config"}, user: true})
			}
		}
	})
	return out
}

var (
	megatronBase = regexp.MustCompile(`^ppo_(megatron|torchtitan|veomni)_trainer$`)
	ownBase      = []string{"ppo_trainer", "_self_"}
)

// fromHydra reads what a file says to Hydra itself. awhost hands the file's values over one by one, on top of verl's own
// ppo_trainer, so that base and a search path to it are what happens anyway.
func (r *resolver) fromHydra(key string, value any, origin string) []*setting {
	if key == "hydra.searchpath" {
		return nil
	}
	entries, isList := value.([]any)
	if key != "defaults" || !isList {
		r.warn([]string{"config"}, "Setting of Hydra left out", "%s (%s): awhost sets up Hydra. The file's other settings are used.", key, origin)
		return nil
	}
	var out []*setting
	for _, entry := range entries {
		engine := ""
		switch entry := entry.(type) {
		case string:
			if slices.Contains(ownBase, entry) {
				continue
			}
			if m := megatronBase.FindStringSubmatch(entry); m != nil {
				engine = m[1]
			}
		case map[string]any:
			engine, _ = entry["model_engine"].(string)
		}
		if engine == "" {
			r.fail([]string{"config"}, "Configuration with another base",
				"defaults (%s) names %s, which awhost cannot compose: it starts from ppo_trainer of the installed verl. Write the values that differ from it into the file.", origin, framework.Shown(entry))
			continue
		}
		out = append(out, &setting{key: engineKey, value: engine, origin: origin, path: []string{"config"}, user: true})
	}
	return out
}

// fromOverride reads an entry of the adapter's overrides. A mapping stands for the settings in it.
func (r *resolver) fromOverride(given string, raw json.RawMessage) []*setting {
	path := []string{"overrides", given}
	value, err := framework.FromJSON(raw)
	if err != nil {
		r.fail(path, "Unreadable override", "%s: %v.", given, err)
		return nil
	}
	m, key := cutMark(given)
	return spread(&setting{key: key, value: value, origin: fromOverrides, mark: m, path: path, user: true})
}

// fromCommand reads `apply spec -- key=value`, whose values are written as for verl's own scripts.
func (r *resolver) fromCommand(given, text string) []*setting {
	m, key := cutMark(given)
	if strings.HasPrefix(key, "~") {
		r.fail(nil, "Deletion of a setting", "%s: awhost cannot delete a setting of verl. Set it to null (%s=null) if that is meant.", given, strings.TrimPrefix(key, "~"))
		return nil
	}
	value, err := framework.ParseValue(text)
	if err != nil {
		r.fail(nil, "Unreadable override", "%s=%s: %v.", given, text, err)
		return nil
	}
	return spread(&setting{key: key, value: value, origin: fromCommand, mark: m, user: true})
}

// cutMark takes off the + or ++ with which a user says that a key may be new.
func cutMark(given string) (mark, string) {
	if key, ok := strings.CutPrefix(given, string(addOrChange)); ok {
		return addOrChange, key
	}
	if key, ok := strings.CutPrefix(given, string(add)); ok {
		return add, key
	}
	return change, given
}

// spread makes a setting of each value in a mapping. An empty mapping is a value.
func spread(s *setting) []*setting {
	object, ok := s.value.(map[string]any)
	if !ok || len(object) == 0 {
		return []*setting{s}
	}
	for name := range object {
		if !keyForm.MatchString(name) || strings.Contains(name, ".") {
			return []*setting{s} // Hydra reads such names inside a value only
		}
	}
	var out []*setting
	for _, name := range slices.Sorted(maps.Keys(object)) {
		one := *s
		one.key, one.value = framework.JoinKey(s.key, name), object[name]
		out = append(out, spread(&one)...)
	}
	return out
}
