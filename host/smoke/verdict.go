package smoke

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

// verdict collects the reasons why a smoke run fails, and remarks for the user on results that may be correct.
type verdict struct {
	result  event.RunFinished
	reasons []string
	remarks []string
	several bool // stages: then messages name the stage
}

func (v *verdict) judge() (event.SmokeVerdict, []string, []string) {
	if v.result.Outcome != event.RunCompleted {
		v.reasons = slices.Insert(v.reasons, 0, "the run did not complete: "+v.result.Reason)
	}
	if len(v.reasons) > 0 {
		return event.SmokeFail, v.reasons, v.remarks
	}
	return event.SmokePass, nil, v.remarks
}

// look judges a stage.
func (v *verdict) look(stage event.SmokeStage, s *sum) {
	fail := func(format string, args ...any) {
		v.reasons = append(v.reasons, v.of(stage)+fmt.Sprintf(format, args...))
	}
	if stage.Steps < stage.Planned && v.result.Outcome == event.RunCompleted {
		fail("%d of %d steps have a checkpoint", stage.Steps, stage.Planned)
	}
	if stage.Episodes == 0 {
		if v.result.Outcome == event.RunCompleted {
			fail("no episode ended")
		}
		return
	}
	if withNumber(stage) == 0 {
		fail("none of %d episodes got a number%s", stage.Episodes, firstFailure(stage))
	} else {
		v.lookAtRewards(stage, fail)
	}
	v.lookAtTools(stage, s, fail)
	v.remark(stage, s)
}

// withNumber returns the number of scored episodes.
func withNumber(stage event.SmokeStage) int { return stage.Rewards[0].Numbers }

func firstFailure(stage event.SmokeStage) string {
	if len(stage.Failures) == 0 {
		return ""
	}
	return fmt.Sprintf(". %s: %s", stage.Failures[0].Class, stage.Failures[0].Detail)
}

func (v *verdict) lookAtRewards(stage event.SmokeStage, fail func(string, ...any)) {
	for _, r := range stage.Rewards {
		if r.Numbers == 0 {
			detail := ""
			for _, f := range stage.Failures {
				if f.Class == sdk.FailureReward {
					detail = ". " + f.Detail
				}
			}
			fail("%s returned no number in any of %d episodes%s", r.Name, r.Episodes, detail)
		}
	}
}

func (v *verdict) lookAtTools(stage event.SmokeStage, s *sum, fail func(string, ...any)) {
	if stage.Tools == 0 || stage.ScriptCalls == 0 {
		return
	}
	answers := stage.Scripted.Answers + stage.Sampled.Answers
	switch {
	case stage.Misread == stage.ScriptCalls:
		fail("none of %d tool calls was parsed as it was written: %s. The codec that the adapter's tool_format selects "+
			"does not read calls as the model's chat template renders them, or the template renders none. Set "+
			"tool_format to a codec that reads them, or give the model a chat template that renders calls: "+
			"awhost docs reference/tool-formats", stage.ScriptCalls, s.example)
	case answers == 0:
		fail("the environment returned no result for any of %d tool "+
			"calls%s", stage.ScriptCalls-stage.Misread, firstFailure(stage))
	case stage.Misread > 0:
		v.say(stage, "%d of %d tool calls were parsed differently than they were written: "+
			"%s", stage.Misread, stage.ScriptCalls, s.example)
	}
	if errors := stage.Scripted.Errors + stage.Sampled.Errors; answers > 0 && errors == answers {
		v.say(stage, "all %d tool results report an error, the first %s. The script uses made-up arguments: check whether "+
			"these errors are expected", errors, quoted(s.toolError))
	}
}

// remark adds remarks on results that may be correct.
func (v *verdict) remark(stage event.SmokeStage, s *sum) {
	whole := withNumber(stage)
	if whole > 0 && whole < stage.Episodes {
		v.say(stage, "%d of %d episodes got no number%s", stage.Episodes-whole, stage.Episodes, firstFailure(stage))
	}
	for _, r := range stage.Rewards {
		if !slices.Contains(s.rewards, r.Name) {
			continue // many components are constant
		}
		low, _ := r.Min.Get()
		high, _ := r.Max.Get()
		if r.Numbers > 1 && low == high {
			v.say(stage, "%s was %v in all %d episodes: check whether this is correct for a random policy and a "+
				"script", r.Name, low, r.Numbers)
		}
		if r.Numbers > 0 && r.Numbers < min(whole, r.Episodes) {
			v.say(stage, "%s returned a number in only %d of %d episodes", r.Name, r.Numbers, r.Episodes)
		}
	}
	switch {
	case stage.Scripted.Episodes == 0:
		v.say(stage, "no episode followed the script: its samples are not counted as the host expects")
	case stage.Tools > 0 && stage.ScriptCalls == 0:
		v.say(stage, "no tool was called")
	}
	if cut := stage.Scripted.Outcomes[sdk.OutcomeTruncated]; cut > 0 && cut == stage.Scripted.Episodes {
		v.say(stage, "all %d scripted episodes reached a turn or token limit", cut)
	}
	if stage.Trained == 0 && stage.Steps > 0 {
		v.say(stage, "no update used a sample: all samples were masked, or had the same reward as the others of their group")
	}
}

// say adds a remark.
func (v *verdict) say(stage event.SmokeStage, format string, args ...any) {
	text := strings.TrimSuffix(fmt.Sprintf(format, args...), ".")
	v.remarks = append(v.remarks, v.of(stage)+text)
}

// of returns a prefix that names the stage if there are several.
func (v *verdict) of(stage event.SmokeStage) string {
	if !v.several {
		return ""
	}
	return "stage " + stage.Name + ": "
}
