package spec

import (
	"errors"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// Expression is a reward, success or advance_when expression, compiled once and evaluated for every episode. It may
// be used concurrently.
type Expression struct {
	source  string
	rewards []string
	where   diag.Range
}

// Inputs are what an expression may refer to.
type Inputs struct {
	// Rewards are what the rewards say, by address; each is a value or a failure.
	Rewards map[string]sdk.Scored
	// NumTurns counts the assistant messages of the episode.
	NumTurns int
	// Truncated says that a limit ended the episode.
	Truncated bool
	// Validation holds the numbers of the last validation, "success_rate" and "reward", for advance_when.
	Validation map[string]float64
}

// Judgement is what the expressions of a stage make of an episode.
type Judgement struct {
	Reward  float64
	Success *bool // nil: unknown
}

// Source is the expression as it was written.
func (e *Expression) Source() string { return e.source }

// Rewards are the addresses of the reward blocks that the expression refers to, sorted.
func (e *Expression) Rewards() []string { return e.rewards }

// Range is where the expression was written.
func (e *Expression) Range() diag.Range { return e.where }

// Number evaluates a reward expression. The error is a *sdk.Failure of class REWARD: a reward that the expression
// needs has failed, or an input or the result is not a finite number.
func (e *Expression) Number(in Inputs) (float64, error) {
	return 0, errors.New("evaluate expression")
}

// Bool evaluates a success or advance_when expression. Errors are as for Number.
func (e *Expression) Bool(in Inputs) (bool, error) {
	return false, errors.New("evaluate expression")
}

// Rewards are the addresses of the rewards that an episode of this stage needs, sorted.
func (s *Settings) Rewards() []string { return nil }

// Judge evaluates the reward and the success expression. The error is a *sdk.Failure of class REWARD.
func (s *Settings) Judge(in Inputs) (Judgement, error) { return Judgement{}, nil }
