package canonical

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Arguments is the form in which the arguments of a call are compared: JSON without spaces, its members in order, each
// number in one way of writing. Nothing at all is an empty object, and a text that is no JSON stays as it is.
func Arguments(text string) string {
	if strings.TrimSpace(text) == "" {
		return "{}"
	}
	if value, ok := parse(text); ok {
		if out, err := json.Marshal(value); err == nil {
			return string(out)
		}
	}
	return text
}

// objectArguments is Arguments where there are objects only.
func objectArguments(text string) string {
	out := Arguments(text)
	if value, ok := parse(out); ok {
		if _, isObject := value.(map[string]any); isObject {
			return out
		}
	}
	return "{}"
}

// parse reads one JSON value and nothing after it.
func parse(text string) (any, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, false
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return uniform(value), true
}

// uniform writes the numbers in a value in one way. It changes the value.
func uniform(value any) any {
	switch v := value.(type) {
	case json.Number:
		return json.Number(number(string(v)))
	case []any:
		for i := range v {
			v[i] = uniform(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = uniform(v[name])
		}
	}
	return value
}

// number writes a JSON number as digits without zeros around them, and an exponent: 120, 1.2e2 and 120.0 are 12e1. So
// 1.0, which JavaScript reads and writes as 1, stays what it is, and 10000000000000001 is no other number.
func number(written string) string {
	digits, negative := strings.CutPrefix(written, "-")
	exponent := int64(0)
	if mantissa, power, found := cutAny(digits, "eE"); found {
		n, err := strconv.ParseInt(power, 10, 32)
		if err != nil {
			return written // beyond what any program computes with
		}
		digits, exponent = mantissa, n
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits, exponent = strings.TrimLeft(whole+fraction, "0"), exponent-int64(len(fraction))
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0" // minus zero, too: JavaScript writes it so
	}
	out := significant + "e" + strconv.FormatInt(exponent+int64(len(digits)-len(significant)), 10)
	if negative {
		return "-" + out
	}
	return out
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
