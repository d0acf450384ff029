package settings

import (
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

type setting = framework.Setting

// claims gathers what the user wrote in verl's own words, in the order in which it is read.
func (r *resolver) claims() []*setting {
	var out []*setting
	for _, file := range r.req.Config {
		out = append(out, r.fromFile(file)...)
	}
	report := func(path []string, shown string, err error) {
		r.fail(path, "Unreadable override", "%s: %v.", shown, err)
	}
	return append(out, framework.Overrides(r.req.Overrides, r.req.Knobs.Overrides, report)...)
}

// fromFile reads a YAML file. What is empty in it says nothing.
func (r *resolver) fromFile(file ConfigFile) []*setting {
	all, err := framework.FileSettings(file.Name, file.Text)
	if err != nil {
		r.fail([]string{"config"}, "Unreadable configuration of verl", "%s: %v.", file.Name, err)
	}
	var out []*setting
	for _, s := range all {
		first, _, _ := strings.Cut(s.Key, ".")
		object, isMapping := s.Value.(map[string]any)
		switch {
		case first == "hydra" || first == "defaults":
			out = append(out, r.fromHydra(s)...)
		case s.Empty || isMapping && len(object) == 0 || s.Key == "_target_" || strings.HasSuffix(s.Key, "._target_"):
		default:
			out = append(out, s)
		}
	}
	return out
}

var (
	megatronBase = regexp.MustCompile(`^ppo_(megatron|torchtitan|veomni)_trainer$`)
	ownBase      = []string{"ppo_trainer", "_self_"}
)

// fromHydra reads what a file says to Hydra itself. awhost hands the file's values over one by one, on top of verl's own
// ppo_trainer, so that base and a search path to it are what happens anyway.
func (r *resolver) fromHydra(s *setting) []*setting {
	if s.Key == "hydra.searchpath" {
		return nil
	}
	entries, isList := s.Value.([]any)
	if s.Key != "defaults" || !isList {
		r.warn([]string{"config"}, "Setting of Hydra left out", "%s (%s): awhost sets up Hydra. The file's other settings are used.", s.Key, s.Origin)
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
				"defaults (%s) names %s, which awhost cannot compose: it starts from ppo_trainer of the installed verl. Write the values that differ from it into the file.", s.Origin, framework.Shown(entry))
			continue
		}
		chosen := *s
		chosen.Key, chosen.Value = engineKey, engine
		out = append(out, &chosen)
	}
	return out
}
