package calculator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// The components of a score, each 0 or 1.
const (
	componentCall      = "call"      // the first tool call can be parsed and executed
	componentTool      = "tool"      // it can be executed, and uses the right tool
	componentArguments = "arguments" // it can be executed, and has the right arguments
	componentAnswer    = "answer"    // the last message contains exactly the ground truth in <answer></answer>
)

// The parts of a shaped score for an unsuccessful episode, in tenths, because integers add up exactly. Their sum is
// clearly below 1.
const (
	callTenths      = 1
	toolTenths      = 2
	argumentsTenths = 2
)

// rewardConfig is the body of a reward "calculator" block.
type rewardConfig struct {
	Shaped bool `json:"shaped"`
}

func (c rewardConfig) score(item sdk.ScoreItem) (sdk.Scored, error) {
	question, err := questionMessages(item.Task)
	if err != nil {
		return sdk.Scored{}, err
	}
	problem, err := problemOf(question)
	if err != nil {
		return sdk.Scored{}, fmt.Errorf("task %q: %w; this reward is for arithmetic questions only", item.Task.ID, err)
	}
	truth, err := groundTruth(item.Task, problem)
	if err != nil {
		return sdk.Scored{}, err
	}
	return judge(item, problem, truth).scored(c.Shaped), nil
}

// groundTruth returns the task's answer, which must be the problem's result, because a wrong answer in a dataset would
// train the wrong behavior. Errors do not quote the answer, because they are logged.
func groundTruth(task sdk.Task, problem arithmetic.Problem) (string, error) {
	var private struct {
		GroundTruth json.RawMessage `json:"ground_truth"`
	}
	if len(task.Private) > 0 {
		if err := json.Unmarshal(task.Private, &private); err != nil {
			return "", fmt.Errorf("task %q: its private part is no JSON object", task.ID)
		}
	}
	text := string(bytes.Trim(private.GroundTruth, `"`)) // "42" and 42 are equal; neither needs escapes
	if text == "" || text == "null" {
		return "", fmt.Errorf("task %q has no ground_truth: add the column, or map one to it in the dataset block", task.ID)
	}
	answer, err := problem.Answer()
	if err != nil {
		return "", fmt.Errorf("task %q: %w", task.ID, err)
	}
	if strings.TrimSpace(text) != strconv.FormatInt(answer, 10) {
		return "", fmt.Errorf("task %q: its ground_truth is not the result of %s: correct the row", task.ID,
			problem.Question())
	}
	return strconv.FormatInt(answer, 10), nil
}

// verdict lists the correct parts of an episode.
type verdict struct {
	call, tool, arguments, answer bool
}

func judge(item sdk.ScoreItem, problem arithmetic.Problem, truth string) verdict {
	var v verdict
	said := item.Response()
	call, ran := firstAttempt(said)
	if ran {
		v.call = true
		v.tool, v.arguments = problem.SolvedBy(call)
	}
	if len(item.Messages) > 0 && len(said) == 0 {
		return v // the policy wrote no message
	}
	answer, found := finalAnswer(said, item.FinalAnswer)
	v.answer = found && answer == truth
	return v
}

func (v verdict) success() bool { return v.call && v.tool && v.arguments && v.answer }

// scored converts the verdict to numbers. For a successful episode, the score is 1, whether shaped or not.
func (v verdict) scored(shaped bool) sdk.Scored {
	success := v.success()
	score := sdk.Flag(success)
	if shaped && !success {
		score = (callTenths*sdk.Flag(v.call) + toolTenths*sdk.Flag(v.tool) + argumentsTenths*sdk.Flag(v.arguments)) / 10
	}
	return sdk.Scored{
		Score:     score,
		IsSuccess: &success,
		Components: map[string]float64{
			componentCall:      sdk.Flag(v.call),
			componentTool:      sdk.Flag(v.tool),
			componentArguments: sdk.Flag(v.arguments),
			componentAnswer:    sdk.Flag(v.answer),
		},
	}
}
