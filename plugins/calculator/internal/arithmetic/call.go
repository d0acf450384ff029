package arithmetic

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// Call is an executed tool call.
type Call struct {
	Operation Operation
	A, B      int64
	Result    int64
}

// ErrArguments reports that a call's arguments do not match the schema of Parameters.
var ErrArguments = errors.New("a and b must be integers")

// ErrTooLarge reports that an operand exceeds MaxOperand.
var ErrTooLarge = errors.New("a or b is too large")

// Run executes a tool call with JSON arguments. The error is short and intended for the model: ErrNoTool, ErrArguments,
// ErrTooLarge, or ErrZero.
func Run(name, arguments string) (Call, error) {
	operation, err := Named(name)
	if err != nil {
		return Call{}, err
	}
	a, b, err := operands(arguments)
	if err != nil {
		return Call{}, err
	}
	result, err := operation.Apply(a, b)
	if err != nil {
		return Call{}, err
	}
	return Call{Operation: operation, A: a, B: b, Result: result}, nil
}

// Parameters returns the JSON Schema of every tool's arguments.
func Parameters() json.RawMessage {
	operand := `{"type":"integer","minimum":-1000000000,"maximum":1000000000}`
	return json.RawMessage(`{"type":"object","properties":{"a":` + operand + `,"b":` + operand +
		`},"required":["a","b"],"additionalProperties":false}`)
}

// operands parses {"a": …, "b": …} token by token, because json.Unmarshal would accept a repeated name.
func operands(arguments string) (a, b int64, err error) {
	decoder := json.NewDecoder(strings.NewReader(arguments))
	decoder.UseNumber()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return 0, 0, ErrArguments
	}
	found := map[string]int64{}
	for decoder.More() {
		name, value, err := operand(decoder)
		if err != nil {
			return 0, 0, err
		}
		if _, repeated := found[name]; repeated {
			return 0, 0, ErrArguments
		}
		found[name] = value
	}
	if len(found) != 2 || !ends(decoder) {
		return 0, 0, ErrArguments
	}
	return found["a"], found["b"], nil
}

func operand(decoder *json.Decoder) (name string, value int64, err error) {
	token, err := decoder.Token()
	name, isName := token.(string)
	if err != nil || !isName || (name != "a" && name != "b") {
		return "", 0, ErrArguments
	}
	token, err = decoder.Token()
	number, isNumber := token.(json.Number)
	if err != nil || !isNumber {
		return "", 0, ErrArguments
	}
	value, err = integer(number.String())
	return name, value, err
}

// integer parses a JSON number as an integer as defined by JSON Schema: 17, 17.0, and 1.7e1 are equal.
func integer(literal string) (int64, error) {
	n, err := strconv.ParseInt(literal, 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(literal, 64)
		if err != nil || math.Abs(f) > MaxOperand {
			return 0, ErrTooLarge
		}
		if f != math.Trunc(f) {
			return 0, ErrArguments
		}
		n = int64(f)
	}
	if n > MaxOperand || n < -MaxOperand {
		return 0, ErrTooLarge
	}
	return n, nil
}

// ends reports whether the decoder's object ends here, and whether the text ends with it.
func ends(decoder *json.Decoder) bool {
	if token, err := decoder.Token(); err != nil || token != json.Delim('}') {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}
