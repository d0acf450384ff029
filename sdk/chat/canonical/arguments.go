package canonical

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Arguments returns the form in which a call's arguments are compared: JSON without spaces, with sorted members, and
// with numbers in a single notation. An empty string becomes an empty object, and invalid JSON is left unchanged.
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

// objectArguments returns Arguments, or {} if they are not an object, for protocols that support only object arguments.
func objectArguments(text string) string {
	out := Arguments(text)
	if value, ok := parse(out); ok {
		if _, isObject := value.(map[string]any); isObject {
			return out
		}
	}
	return "{}"
}

// parse reads one JSON value, which nothing may follow.
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

// uniform converts the numbers in a value to a single notation. It changes the value.
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

// number writes a JSON number as digits without leading or trailing zeros, followed by an exponent: 120, 1.2e2 and
// 120.0 become 12e1. As a result, 1.0, which JavaScript writes as 1, has the same form as 1, and 10000000000000001
// keeps its value.
func number(written string) string {
	digits, negative := strings.CutPrefix(written, "-")
	exponent := int64(0)
	if mantissa, power, found := cutAny(digits, "eE"); found {
		n, err := strconv.ParseInt(power, 10, 32)
		if err != nil {
			return written // beyond the range of any program
		}
		digits, exponent = mantissa, n
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits, exponent = strings.TrimLeft(whole+fraction, "0"), exponent-int64(len(fraction))
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0" // also for minus zero: JavaScript writes it so
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
