package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// checkNotes describes the checks on the agents' messages and what happens when a message fails them.
func (p *Plan) checkNotes() []string {
	var out []string
	for _, s := range p.Stages {
		actor, err := p.actor(s.Stage)
		if err != nil {
			continue // already reported
		}
		for _, a := range actor.Agents() {
			if a.Block.Madness == nil {
				continue
			}
			if note := a.Block.Address + ": " + checkNote(a.Block.Madness); !slices.Contains(out, note) {
				out = append(out, note)
			}
		}
	}
	return out
}

// limitNotes lists the requests from agents' programs that the adapters cannot serve.
func (p *Plan) limitNotes() []string {
	var out []string
	for _, s := range p.Stages {
		actor, err := p.actor(s.Stage)
		limits := unserved(&p.Adapters[s.Adapter].Capabilities)
		if err != nil || limits == "" {
			continue
		}
		for _, a := range actor.Agents() {
			if !a.Block.Builtin() && !a.Served() {
				out = append(out, fmt.Sprintf("%s supports no %s: requests of %s that have them are answered with 400",
					s.Adapter, limits, a.Block.Address))
			}
		}
	}
	return out
}

// unserved lists the parts of requests that an adapter does not support.
func unserved(c *sdk.AdapterCapabilities) string {
	var out []string
	if !c.SupportsStop() {
		out = append(out, "stop strings")
	}
	if !c.SupportsImages() {
		out = append(out, "images")
	}
	return strings.Join(out, " and no ")
}

func checkNote(m *spec.Madness) string {
	checks := make([]string, len(m.Find))
	for i, check := range m.Find {
		checks[i] = string(check)
	}
	follows := map[spec.Consequence]string{
		spec.ThenCount: "a finding is counted, and the episode continues",
		spec.ThenEnd:   "a finding ends the episode",
		spec.ThenMask:  "a finding ends the episode, which is not trained",
	}[m.Then]
	note := fmt.Sprintf("each message is checked for madness (%s, rules %s): %s",
		strings.Join(checks, ", "), m.Profile, follows)
	if m.Reward != nil {
		note += fmt.Sprintf("; its reward in training is %g", *m.Reward)
	}
	return note
}
