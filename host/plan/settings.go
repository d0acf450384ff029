package plan

import (
	"encoding/json"
)

// HyperParameters are the settings of the run by which it is compared with others: strings, numbers and bools by name.
// Where there are several stages, those of a stage begin with its name. Variables of the environment are left out, and
// so are secrets: who may see a tracker is not who may see the run.
func (p *Plan) HyperParameters() map[string]any {
	out := map[string]any{}
	for _, s := range p.Stages {
		knobs := s.Knobs
		knobs.Env, knobs.Set = nil, nil
		encoded, err := json.Marshal(knobs)
		var tree map[string]any
		if err != nil || json.Unmarshal(encoded, &tree) != nil {
			continue // knobs are numbers and texts
		}
		prefix := ""
		if len(p.Stages) > 1 {
			prefix = s.Name + "."
		}
		flatten(out, prefix, tree)
		for name, v := range map[string]string{
			"agent": s.Agent, "dataset": s.Dataset, "validation": s.Validation, "reward": s.Reward.Source(),
		} {
			if v != "" {
				out[prefix+name] = v
			}
		}
	}
	if p.Train.Policy != "" {
		out["policy"] = p.Train.Policy
	}
	secrets := p.Spec.Redactor()
	for name, v := range out {
		if text, ok := v.(string); ok {
			out[name] = secrets.Text(text)
		}
	}
	return out
}

// flatten puts the leaves of a tree under their paths. Lists are JSON.
func flatten(out map[string]any, prefix string, tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case map[string]any:
			flatten(out, prefix+name+".", v)
		case []any:
			encoded, _ := json.Marshal(v) // it has been JSON before
			out[prefix+name] = string(encoded)
		case nil:
		default:
			out[prefix+name] = v
		}
	}
}
