package spec

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// Expression is a reward, success or advance_when expression, compiled once and evaluated for every episode. It may
// be used concurrently.
type Expression struct {
	program *program
	source  string
	where   diag.Range
}

// Inputs holds the values that an expression may refer to.
type Inputs struct {
	// Rewards holds the reward results by address; each is a value or a failure.
	Rewards map[string]sdk.Scored
	// Agents holds the agents' own reports about the episode by address. Agents without a report may be missing.
	Agents map[string]SelfReport
	// NumTurns counts the episode's assistant messages.
	NumTurns int
	// Truncated is set if a limit ended the episode.
	Truncated bool
	// Validation holds the numbers from the last validation, "success_rate" and "reward", for advance_when.
	Validation map[string]float64
}

// Judgement is the result of a stage's expressions for an episode.
type Judgement struct {
	Reward  float64
	Success *bool // nil: unknown
}

// Source returns the expression's source text.
func (e *Expression) Source() string { return e.source }

// Rewards returns the sorted addresses of the reward blocks that the expression refers to.
func (e *Expression) Rewards() []string { return e.program.rewardAddresses() }

// Range returns the expression's source range.
func (e *Expression) Range() diag.Range { return e.where }

// Number evaluates a reward expression. The error is a *sdk.Failure in class REWARD: a required reward failed, or an
// input or the result is not a finite number.
func (e *Expression) Number(in Inputs) (float64, error) {
	value, err := e.evaluate(in, cty.Number)
	if err != nil {
		return 0, err
	}
	number, _ := value.AsBigFloat().Float64()
	if !finite(number) {
		return 0, failure("the reward expression %s does not return a finite number", e.source)
	}
	return number, nil
}

// Bool evaluates a success or advance_when expression. Errors are the same as for Number.
func (e *Expression) Bool(in Inputs) (bool, error) {
	value, err := e.evaluate(in, cty.Bool)
	if err != nil {
		return false, err
	}
	return value.True(), nil
}

func (e *Expression) evaluate(in Inputs, want cty.Type) (cty.Value, error) {
	value, problems := e.program.value(in)
	if problems.HasErrors() {
		return cty.NilVal, e.program.explain(in, problems)
	}
	value, err := convert.Convert(unmarked(value), want)
	switch {
	case err != nil:
		return cty.NilVal, failure("the expression %s returns %s, not a %s", e.source, value.Type().FriendlyName(),
			want.FriendlyName())
	case value.IsNull() || !value.IsKnown():
		return cty.NilVal, failure("the expression %s does not return a value", e.source)
	}
	return value, nil
}

// Rewards returns the sorted addresses of the rewards that an episode of this stage needs.
func (s *Settings) Rewards() []string {
	var all []string
	for _, e := range []*Expression{s.Reward, s.Success} {
		if e != nil {
			all = append(all, e.Rewards()...)
		}
	}
	return sortedSet(all)
}

// judges returns the addresses of all reward sources: reward blocks and agents that report rewards.
func (s *Settings) judges() []string { return append(s.Rewards(), s.OwnRewards()...) }

// Judge evaluates the reward and success expressions. Without a success expression, the only reward, which may be an
// agent's, determines success if it reports success. The error is a *sdk.Failure in class REWARD.
func (s *Settings) Judge(in Inputs) (Judgement, error) {
	reward, err := s.Reward.Number(in)
	if err != nil {
		return Judgement{}, err
	}
	out := Judgement{Reward: reward}
	if s.Success != nil {
		success, err := s.Success.Bool(in)
		if err != nil {
			return Judgement{}, err
		}
		out.Success = &success
		return out, nil
	}
	if only := s.judges(); len(only) == 1 {
		out.Success = in.Rewards[only[0]].IsSuccess
		if own, ok := in.Agents[only[0]]; ok {
			out.Success = own.IsSuccess
		}
	}
	return out, nil
}
