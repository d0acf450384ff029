package settings

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/framework"
)

// Hydra reads each argument as an override of its own grammar (OverrideLexer.g4 and OverrideParser.g4 of hydra-core 1.3),
// not as YAML. No shell is between awhost and verl.

// markOf is how a key has to be written. A + before a key that has a value is an error of Hydra's, a missing one before a
// key that is not there too.
func markOf(k framework.Kind) string {
	switch k {
	case framework.Field:
		return "+"
	case framework.Free, framework.Unknown:
		return "++"
	}
	return ""
}

// keyForm is a key that Hydra reads: names with dots between them.
var keyForm = regexp.MustCompile(`^[A-Za-z_$][\w$-]*(\.[A-Za-z0-9_$][\w$-]*)*$`)

// argument writes an override as one argument of the command line.
func argument(mark, key string, value any) (string, error) {
	if !keyForm.MatchString(key) {
		return "", fmt.Errorf("%q is no key that Hydra can read: names of letters, digits, _ and -, with dots between them", key)
	}
	text, err := encode(value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	return mark + key + "=" + text, nil
}

// encode writes a value so that Hydra reads the same one back.
func encode(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "null", nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return encodeFloat(v), nil
	case string:
		return quote(v)
	case framework.Verbatim:
		return quote(escapeInterpolation(string(v)))
	case []any:
		return encodeList(v)
	case map[string]any:
		return encodeMap(v)
	}
	return "", fmt.Errorf("a value of type %T has no form in Hydra", value)
}

func encodeFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	out := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(out, ".e") {
		out += ".0" // stays a float
	}
	return out
}

func encodeList(elements []any) (string, error) {
	out := make([]string, len(elements))
	for i, element := range elements {
		var err error
		if out[i], err = encode(element); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(out, ",") + "]", nil
}

// mapKey is a key of a mapping inside a value, which Hydra does not read in quotes.
var mapKey = regexp.MustCompile(`^[A-Za-z_][\w./-]*$`)

func encodeMap(object map[string]any) (string, error) {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !mapKey.MatchString(key) || !isWord(key) {
			return "", fmt.Errorf("the name %q inside a mapping is not one that Hydra reads; write each setting as a key of its own", key)
		}
		element, err := encode(object[key])
		if err != nil {
			return "", err
		}
		out = append(out, key+":"+element)
	}
	return "{" + strings.Join(out, ",") + "}", nil
}

// bare is text that Hydra reads as text without quotes, unless it is a word with a meaning.
var bare = regexp.MustCompile(`^[A-Za-z_/][\w/.-]*$`)

// isWord says that a bare text is nothing but text to Hydra.
func isWord(text string) bool {
	switch strings.ToLower(text) {
	case "null", "true", "false", "nan", "inf", "none":
		return false
	}
	return true
}

// quote writes text. Backslashes count only before a quote.
func quote(text string) (string, error) {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return "", fmt.Errorf("%q is no text that can be an argument: it has a zero byte, or is not UTF-8", text)
	}
	if bare.MatchString(text) && isWord(text) {
		return text, nil
	}
	var out strings.Builder
	out.WriteByte('\'')
	backslashes := 0
	for _, r := range text {
		switch r {
		case '\\':
			backslashes++
		case '\'':
			out.WriteString(strings.Repeat(`\`, backslashes+1)) // those before it again, and one for it
			backslashes = 0
		default:
			backslashes = 0
		}
		out.WriteRune(r)
	}
	out.WriteString(strings.Repeat(`\`, backslashes))
	out.WriteByte('\'')
	return out.String(), nil
}

// escapeInterpolation keeps OmegaConf from reading ${…} in a text. Backslashes before it are doubled, so that they
// stay what they are.
func escapeInterpolation(text string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	return interpolationStart.ReplaceAllStringFunc(text, func(found string) string {
		backslashes := found[:len(found)-2]
		return backslashes + backslashes + `\${`
	})
}

var interpolationStart = regexp.MustCompile(`\\*\$\{`)
