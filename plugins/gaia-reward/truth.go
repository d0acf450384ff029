package gaiareward

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk/answertext"
)

// groundTruth is a correct answer: a string, or a number stored in the dataset as a JSON number or boolean.
type groundTruth struct {
	text     string  // for a number, the dataset's literal
	isNumber bool    // false for a text that looks like a number
	number   float64 // valid if isNumber
}

// groundTruthOf converts a ground truth in the same way as Python's float(): strings, integers, floats and booleans
// (True is 1). Null, lists and objects cause an error, and so does an integer larger than the largest float.
func groundTruthOf(v any) (groundTruth, error) {
	switch v := v.(type) {
	case string:
		return groundTruth{text: v}, nil
	case bool:
		return groundTruthOfBool(v), nil
	case json.Number:
		return groundTruthOfNumber(v.String())
	}
	return groundTruth{}, fmt.Errorf("the task's ground_truth must be a string, a number or a boolean, not %s (a TypeError in Python)", answertext.TypeName(v))
}

func groundTruthOfBool(v bool) groundTruth {
	truth := groundTruth{text: strconv.FormatBool(v), isNumber: true}
	if v {
		truth.number = 1
	}
	return truth
}

// groundTruthOfNumber parses a JSON number. A literal with a decimal point or an exponent is a float and may overflow
// to infinity. A literal without either is an integer and must not overflow.
func groundTruthOfNumber(literal string) (groundTruth, error) {
	number, err := strconv.ParseFloat(literal, 64)
	if math.IsInf(number, 0) && !strings.ContainsAny(literal, ".eE") {
		return groundTruth{}, fmt.Errorf("the task's ground_truth is an integer of %d digits, too large for a float (an OverflowError in Python); write it as a string",
			len(strings.TrimPrefix(literal, "-")))
	}
	if err != nil && !math.IsInf(number, 0) {
		return groundTruth{}, fmt.Errorf("the task's ground_truth %q is not a number", literal)
	}
	return groundTruth{text: literal, isNumber: true, number: number}, nil
}
