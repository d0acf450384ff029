package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk/python"
)

// checkModel looks at the policy, which verl does minutes after its start.
func (r *resolver) checkModel() {
	name := r.view.Text(ownModel)
	if r.req.ReadModel == nil || r.view.Get(ownModel) == nil || name == "" || strings.Contains(name, "${") {
		return
	}
	model, err := r.req.ReadModel(name)
	switch {
	case errors.Is(err, python.ErrNotHere):
		r.said = append(r.said, fmt.Sprintf("policy %s: no folder here, so a name of the hub; whether it is there shows when verl starts", name))
	case err != nil && r.req.Elsewhere:
		r.warn(r.where(ownModel), "No such model on this machine", "%v. verl runs on other machines, which must have it.", err)
	case err != nil:
		r.fail(r.where(ownModel), "No such model", "%v.", err)
	}
	r.model = model
}

// overrideConfig is where verl's engines let a user change the policy's config.json.
const overrideConfig = "actor_rollout_ref.model.override_config."

// positions is how many tokens the policy has positions for; 0: nobody knows.
func (r *resolver) positions() (n int, said string) {
	for _, key := range []string{overrideConfig + "max_position_embeddings", overrideConfig + "model_config.max_position_embeddings"} {
		if n, ok := r.view.Int(key); ok && n > 0 {
			return n, r.say(key)
		}
	}
	return r.model.Context, fmt.Sprintf("The policy has a context of %d tokens (max_position_embeddings of its config.json, unless %smax_position_embeddings says more)", r.model.Context, overrideConfig)
}

// context is the longest that a server takes, and who says so; 0: nobody knows. Where it is open verl takes all positions.
func (r *resolver) context() (tokens int, said string) {
	const key = rollout + "max_model_len"
	if most, ok := r.view.Int(key); ok {
		return most, r.say(key)
	}
	return r.positions()
}

// checkContext holds verl's own rule, which it has when its servers start.
func (r *resolver) checkContext() {
	const key = rollout + "max_model_len"
	most, ok := r.view.Int(key)
	if positions, said := r.positions(); ok && positions > 0 && most > positions {
		r.fail(r.where(key), "Context longer than the policy's", "%s. %s. Lower it.", r.say(key), said)
	}
}
