package framework

import (
	"fmt"
	"math"

	"github.com/awhost/awhost/sdk"
)

// Step is the size of a step of training, from the numbers of a framework's configuration.
type Step struct {
	Episodes int  // prompts times episodes per prompt
	Parts    int  // mini-batches of the step
	Passes   int  // over the mini-batches; 0 means 1
	ManyRows bool // an episode may have several rows; otherwise it has one
	Uneven   bool // mini-batches may differ in their number of rows
	AtMost   bool // a step may make fewer updates
}

// Updates returns the number of optimizer updates of a step.
func (s Step) Updates() int { return s.Parts * max(1, s.Passes) }

// Note describes the updates of a step for a plan. If the plan has one stage only, stage is empty. Note returns nothing
// for a step of unknown size.
func (s Step) Note(stage string) []string {
	if s.Episodes < 1 || s.Parts < 1 {
		return nil
	}
	subject, count, share, each := "Updates", fmt.Sprint(s.Updates()), fmt.Sprint(s.Episodes/s.Parts), "each over "
	if stage != "" {
		subject += " of stage " + stage
	}
	if s.AtMost {
		count = "at most " + count
	}
	if s.Updates() == 1 {
		each = "over "
	}
	switch uneven := s.Parts > 1 && s.Uneven; {
	case s.ManyRows && uneven:
		each += "the rows of about " + share + " episodes"
	case s.ManyRows:
		each += "the rows of " + share + " episodes"
	case uneven:
		each += "about " + share + " rows"
	default:
		each += share + " rows"
	}
	return []string{fmt.Sprintf("%s: %s per step, %s", subject, count, each)}
}

// StepsOf returns the number of steps that go over the tasks a number of times. The last step may begin another epoch.
func StepsOf(epochs float64, tasks, prompts int) int {
	return max(1, int(math.Ceil(epochs*float64(tasks)/float64(prompts))))
}

// CheckpointSteps returns the number of steps between two checkpoints that the spec sets, or 0. An epoch has only full
// steps.
func CheckpointSteps(k sdk.CheckpointKnobs, tasks, prompts int) int {
	every := sdk.ValueOr(k.Every, 0)
	if sdk.ValueOr(k.Unit, "") == "epochs" && prompts > 0 {
		every *= max(1, tasks/prompts)
	}
	return every
}

// Number is a number of a configuration, and its description in messages: "batch.prompts is 8".
type Number struct {
	Value int
	Said  string
}

// MiniBatch returns an error if mini-batches of a size cannot make up a step, or nil. Both numbers have the same unit,
// such as prompts.
func MiniBatch(size, step Number, unit string, mayRemain bool) *sdk.Diagnostic {
	switch {
	case step.Value < 1:
		return nil // reported elsewhere
	case size.Value < 1:
		return stepError("Impossible mini-batch", "%s: it must be at least 1.", size.Said)
	case size.Value > step.Value:
		return stepError("Mini-batch larger than the batch", "%s, and %s. Both count %s.", size.Said, step.Said, unit)
	case step.Value%size.Value != 0 && !mayRemain:
		return stepError("Mini-batch that does not divide the batch", "%s, and %s. Both count %s, and the first must "+
			"divide the second.", size.Said, step.Said, unit)
	}
	return nil
}

// GroupOfOne returns an error if an algorithm that compares the episodes of a prompt gets one of each, or nil.
func GroupOfOne(group Number) *sdk.Diagnostic {
	if group.Value != 1 {
		return nil
	}
	return stepError("Groups of one", "%s: GRPO compares the samples of a group, so it needs at least 2 of them.",
		group.Said)
}

// RowMean returns an error about a loss that averages the tokens of each row, which is wrong for episodes with several
// rows, or nil. The remedy is a sentence.
func (s Step) RowMean(loss, remedy string) *sdk.Diagnostic {
	if !s.ManyRows {
		return nil
	}
	return stepError("Loss that counts rows", "%s averages the tokens of each row: an episode with three rows would "+
		"count three times. %s", loss, remedy)
}

// RowBaseline returns an error about a baseline that compares rows, which is wrong for episodes with several rows, or
// nil. The remedy is a sentence.
func (s Step) RowBaseline(baseline, remedy string) *sdk.Diagnostic {
	if !s.ManyRows {
		return nil
	}
	return stepError("Baseline that counts rows", "%s normalizes rewards by counting rows: samples of different prompts "+
		"would be compared. %s", baseline, remedy)
}

func stepError(summary, format string, args ...any) *sdk.Diagnostic {
	return &sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...)}
}
