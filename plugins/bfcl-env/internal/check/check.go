// Package check determines whether a model's calls had the same effect as an entry's ground truth, as BFCL's checkers
// do.
//
//	verdict, err := check.Entry(check.Setup{World: world, ID: id, Classes: classes, Config: config}, truth, calls)
//
// After each turn the state of the model's instances must equal the state of instances on which the ground truth ran.
// Every result that the ground truth produced in the turn must be among the model's results so far, in any order. A
// turn without ground truth cannot be served: the model's calls in it are executed but not judged. The first turn that
// fails determines the verdict.
//
// Source: gorilla, bfcl_eval/eval_checker/multi_turn_eval/multi_turn_checker.py.
package check

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// BFCL's error types.
const (
	EmptyTurn        = "multi_turn:empty_turn_model_response"
	StateMismatch    = "multi_turn:instance_state_mismatch"
	ResponseMismatch = "multi_turn:execution_response_mismatch"
	ForceTerminated  = "multi_turn:force_terminated"
)

// Verdict is the result of a check.
type Verdict struct {
	Valid      bool
	Type       string   // of the error
	Message    string   //
	Turn       int      // in which the error was found, from 0
	Attributes []string // differing attributes of the first class that differs
	Missing    []string // answers of the ground truth that the model did not get
}

// Setup is the configuration of the instances.
type Setup struct {
	World   *api.World
	ID      string
	Classes []string
	Config  *py.Dict
	Player  string // part of the instances' names
}

func (s Setup) backend(suffix string) (*backend.Backend, error) {
	return backend.New(s.World, s.Classes, s.Config, backend.Names(s.Player+suffix, s.ID, s.World.Profile))
}

// Entry checks a model's calls, by turn and step, against the ground truth, by turn.
func Entry(s Setup, truth [][]string, model [][][]string) (Verdict, error) {
	if len(model) != len(truth) {
		return Verdict{Type: ForceTerminated, Turn: len(model),
			Message: fmt.Sprintf("Model was force-terminated during inference stage. Model response length (%d) does not match ground truth length (%d).", len(model), len(truth))}, nil
	}
	player, err := s.backend("_eval")
	if err != nil {
		return Verdict{}, err
	}
	teacher, err := s.backend("_ground_truth_eval")
	if err != nil {
		return Verdict{}, err
	}
	var answers []string
	for turn, calls := range truth {
		for _, step := range model[turn] {
			answers = append(answers, execute(player, step)...)
		}
		wanted := execute(teacher, calls)
		if len(calls) == 0 {
			continue
		}
		if Empty(model[turn]) {
			return Verdict{Type: EmptyTurn, Turn: turn, Message: fmt.Sprintf("Model response list is empty for turn %d", turn)},
				nil
		}
		verdict, err := Turn(player, teacher, answers, wanted, turn)
		if err != nil || !verdict.Valid {
			return verdict, err
		}
	}
	return Verdict{Valid: true}, nil
}

func execute(b *backend.Backend, calls []string) []string {
	out := make([]string, len(calls))
	for i, call := range calls {
		out[i] = b.Execute(call)
	}
	return out
}

// Empty reports whether a turn contains no call: it has no steps, or one step without calls.
func Empty(steps [][]string) bool {
	return len(steps) == 0 || len(steps) == 1 && len(steps[0]) == 0
}

// Turn checks a turn after its calls: first the states, and then the results.
func Turn(player, teacher *backend.Backend, answers, wanted []string, turn int) (Verdict, error) {
	class, attributes, err := player.Differences(teacher)
	if err != nil {
		return Verdict{}, err
	}
	if class != "" {
		return Verdict{
			Type: StateMismatch, Turn: turn, Attributes: attributes,
			Message: "Model instance for " + class + " does not match the state with ground truth instance.",
		}, nil
	}
	if missing := without(wanted, answers); len(missing) > 0 {
		return Verdict{
			Type: ResponseMismatch, Turn: turn, Missing: missing,
			Message: fmt.Sprintf("Model response execution results so far does not contain all the ground truth response execution results for turn %d.", turn),
		}, nil
	}
	return Verdict{Valid: true}, nil
}

// without returns the wanted results that are not in given. Each given result counts once.
func without(wanted, given []string) (missing []string) {
	left := slices.Clone(given)
	for _, w := range wanted {
		i := slices.Index(left, w)
		if i < 0 {
			missing = append(missing, w)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return missing
}
