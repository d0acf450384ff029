package plan

import (
	"encoding/json"
)

// HyperParameters returns the settings used to compare the run with others: strings, numbers, and bools by name. If
// there are several stages, the names start with the stage's name. Environment variables and secrets are omitted,
// because users of a tracker do not necessarily have access to the run.
func (p *Plan) HyperParameters() map[string]any {
	out := map[string]any{}
	for _, s := range p.Stages {
		knobs := s.Knobs
		knobs.Env, knobs.Set = nil, nil
		encoded, err := json.Marshal(knobs)
		var tree map[string]any
		if err != nil || json.Unmarshal(encoded, &tree) != nil {
			continue // cannot happen: knobs are numbers and texts
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

// flatten stores the leaves of a tree by their paths. Lists are encoded as JSON.
func flatten(out map[string]any, prefix string, tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case map[string]any:
			flatten(out, prefix+name+".", v)
		case []any:
			encoded, _ := json.Marshal(v) // it was decoded from JSON
			out[prefix+name] = string(encoded)
		case nil:
		default:
			out[prefix+name] = v
		}
	}
}
