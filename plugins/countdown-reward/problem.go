package countdownreward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// problem is a task's problem, as decoded by encoding/json with UseNumber.
type problem struct {
	target any
	nums   any
}

// problemOf returns the target and the numbers of a task. The ground truth is either an object with both, or the target
// alone. Missing parts are taken from the task's fields target and nums (or numbers), private before public.
func problemOf(task sdk.Task) (problem, error) {
	truth, err := answertext.GroundTruth(task)
	if err != nil {
		return problem{}, err
	}
	private, err := decodeObject(task.Private)
	if err != nil {
		return problem{}, fmt.Errorf("read the private part of task %q: %w", task.ID, err)
	}
	public, err := decodeObject(task.Public)
	if err != nil {
		return problem{}, fmt.Errorf("read task %q: %w", task.ID, err)
	}
	within, isObject := truth.(map[string]any)
	p := problem{target: truth}
	if isObject {
		p.target = nil
	}
	for _, fields := range []map[string]any{within, private, public} {
		if p.target == nil {
			p.target = fields["target"]
		}
		for _, name := range []string{"nums", "numbers"} {
			if p.nums == nil {
				p.nums = fields[name]
			}
		}
	}
	return p, nil
}

func decodeObject(text json.RawMessage) (map[string]any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return fields, decoder.Decode(&fields)
}

// exact returns the problem with exact numbers. Datasets may contain numbers as strings.
func (p problem) exact() (target *big.Rat, numbers []*big.Rat, err error) {
	if target = exactNumber(p.target); target == nil {
		const want = "the task's target must be a number, not %s: it is ground_truth, or target in it or in the task"
		return nil, nil, fmt.Errorf(want, describe(p.target))
	}
	all, isList := p.nums.([]any)
	if !isList || len(all) == 0 {
		const want = "the task's nums must be a list of numbers, not %s: they are in ground_truth or in the task"
		return nil, nil, fmt.Errorf(want, describe(p.nums))
	}
	for _, n := range all {
		number := exactNumber(n)
		if number == nil || !number.IsInt() || number.Sign() < 0 {
			return nil, nil, errors.New("the task's nums must be whole numbers that are not negative")
		}
		numbers = append(numbers, number)
	}
	return target, numbers, nil
}

func describe(v any) string {
	if text, isText := v.(string); isText && len(text) <= maxDigits {
		return fmt.Sprintf("%q", text)
	}
	if all, isList := v.([]any); isList && len(all) == 0 {
		return "an empty one"
	}
	return answertext.TypeName(v)
}

// exactNumber parses a number, or a string with a number. It returns nil if the value is not a number, or is too long.
func exactNumber(v any) *big.Rat {
	text, isText := v.(string)
	if n, isNumber := v.(json.Number); isNumber {
		text, isText = n.String(), true
	}
	if !isText || len(text) > maxDigits || !plainNumber.MatchString(text) {
		return nil
	}
	number, _ := new(big.Rat).SetString(text)
	return number
}

// sameNumbers reports whether two lists contain the same numbers with the same frequency.
func sameNumbers(a, b []*big.Rat) bool {
	compare := func(x, y *big.Rat) int { return x.Cmp(y) }
	return slices.EqualFunc(slices.SortedFunc(slices.Values(a), compare), slices.SortedFunc(slices.Values(b), compare),
		func(x, y *big.Rat) bool { return x.Cmp(y) == 0 })
}
