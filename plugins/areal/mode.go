package areal

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// areal2 is the first AReaL that trains groups without all their samples.
var areal2 = framework.Release{2, 0, 0}

// How AReaL gets its samples.
const (
	modeAuto     = "auto"
	modeWorkflow = "workflow"
	modeAgent    = "agent"
)

// Import paths of the shim's classes.
const (
	workflowClass = "awhost_areal.workflow.AwhostWorkflow"
	agentClass    = "awhost_areal.agent.AwhostAgent"
)

// chooseMode decides what AReaL is given, and says why. An impossible wish is an error.
func chooseMode(c config, version framework.Release, controller string) (mode, why string, err error) {
	agentOnly := controller == "v2"
	noProxy := c.Scheduler == "ray" && !version.AtLeast(areal2)
	switch {
	case agentOnly && c.Mode == modeWorkflow:
		return "", "", fmt.Errorf("rollout._version is \"v2\", and that controller of AReaL takes agents only: set mode = \"agent\", or leave _version at \"v1\"")
	case agentOnly && !version.AtLeast(areal2):
		return "", "", fmt.Errorf("rollout._version is \"v2\", and before 2.0 that controller trains failed samples with the reward 0: use AReaL 2.0, or leave _version at \"v1\"")
	case noProxy && c.Mode == modeAgent:
		return "", "", fmt.Errorf("AReaL %s has no proxy with scheduler = \"ray\", which agent mode needs: use mode = \"workflow\", another scheduler, or AReaL 2.0", version)
	case c.Mode == modeAgent:
		return modeAgent, "the spec says so", nil
	case c.Mode == modeWorkflow:
		return modeWorkflow, "the spec says so", nil
	case agentOnly:
		return modeAgent, "rollout._version is \"v2\", and that controller of AReaL takes agents only", nil
	case noProxy:
		return modeWorkflow, "AReaL before 2.0 has no proxy with scheduler = \"ray\"", nil
	}
	return modeWorkflow, "one sample can fail there without its group, and awhost's ledger keeps its tokens", nil
}

// described are the capabilities of all modes and versions: a plan narrows them to those of one.
func described() sdk.AdapterCapabilities {
	c := capabilities(modeWorkflow, true)
	c.RowsPerEpisode = "many" // agent mode
	return c
}

// capabilities are those of a mode. exact: AReaL takes groups that lack samples (2.0).
func capabilities(mode string, exact bool) sdk.AdapterCapabilities {
	c := sdk.AdapterCapabilities{
		TokenCustody: "shim", RowsPerEpisode: "one", BehaviourLogprobs: true, PerTokenVersions: true,
		Unscorable: "in_baseline", GroupSemantics: true, GroupOfOne: "zero", Credit: []string{"episode"},
		SamplingOwned: []string{"temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs"},
		Modalities:    []string{"text"},
		Interruptible: true, Resume: true, LiveMetrics: true, StepBarrier: true, Recover: true, Smoke: true, ExportFormats: []string{formatHuggingFace}, Scale: []string{"process", "ray", "slurm"},
	}
	if exact {
		c.Unscorable = "exact"
	}
	if mode == modeAgent {
		c.TokenCustody, c.Unscorable, c.TrainsAll = "trainer", "group_lost", true
		c.SamplingOwned = slices.DeleteFunc(c.SamplingOwned, func(s string) bool { return s == "chat_template_kwargs" })
		if exact { // before, rewards are normalised in fixed strides of rows (#1454)
			c.RowsPerEpisode = "many"
		}
	}
	return c
}
