package participants

import (
	"fmt"

	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
)

// checks returns the checks of the agents' messages, by member; nil: no checks.
func checks(actor *spec.Actor) (map[string]*rollout.MadnessBinding, error) {
	var out map[string]*rollout.MadnessBinding
	for _, a := range actor.Agents() {
		m := a.Block.Madness
		if m == nil {
			continue
		}
		rules, err := madness.New(m.Profile, m.Find)
		if err != nil {
			return nil, fmt.Errorf("set up %s: %w", a.Block.Address, err)
		}
		if out == nil {
			out = map[string]*rollout.MadnessBinding{}
		}
		out[a.Member()] = &rollout.MadnessBinding{
			Rules: rules, Checks: m.Find, Then: rollout.Consequence(m.Then), Reward: m.Reward,
		}
	}
	return out, nil
}
