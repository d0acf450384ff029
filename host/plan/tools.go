package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// checkTools checks the tool patterns of all agents against the tools in their environments, if these are known.
func (p *Plan) checkTools(offered map[string][]sdk.Tool) diag.Diagnostics {
	var out diag.Diagnostics
	for _, stage := range p.Train.Stages {
		actor, err := p.Spec.Actor(stage.Agent)
		if err != nil {
			continue // reported at its block
		}
		for _, a := range actor.Agents() {
			if tools := offered[a.Body.Environment]; tools != nil {
				out = append(out, CheckTools(p.Spec, a, tools)...)
			}
		}
	}
	return once(out) // stages may have the same agents
}

// CheckTools returns the mistakes in an agent's tool patterns, given the tools that its environment offers in every
// episode.
func CheckTools(s *spec.Spec, a *spec.Actor, offered []sdk.Tool) diag.Diagnostics {
	var out diag.Diagnostics
	for _, problem := range (agent.Choice{Tools: a.Body.Tools, Deny: a.Body.Deny}).Problems(offered) {
		path := []string{problem.Attribute}
		if problem.Index >= 0 {
			path = append(path, strconv.Itoa(problem.Index))
		}
		out = append(out, s.Diagnose(a.Block.Places, path, diag.Diagnostic{
			Severity: diag.Error, Summary: "Tools that " + a.Body.Environment + " does not offer", Detail: problem.Detail + ".",
		}))
	}
	return out
}

// ToolsError reports agent patterns that do not match the tools in a running environment.
type ToolsError struct{ Diagnostics diag.Diagnostics }

// Error implements error.
func (e *ToolsError) Error() string {
	var lines []string
	for _, d := range e.Diagnostics {
		where := d.Address
		if d.Range != nil {
			where = fmt.Sprintf("%s:%d, %s", d.Range.File, d.Range.Start.Line, d.Address)
		}
		lines = append(lines, where+": "+d.Detail)
	}
	return strings.Join(lines, "\n")
}

var _ error = (*ToolsError)(nil)
