package py_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Ints beyond 4,300 digits must neither be parsed nor written, as in Python since 3.11.
func TestIntsOfTooManyDigits(t *testing.T) {
	const limit = "Exceeds the limit (4300 digits) for integer string conversion"
	long := strings.Repeat("9", 4301)
	_, ofJSON := py.ParseJSON([]byte(long))
	_, ofToken := py.ParseToken(long)
	_, ofInt := py.Int(long)
	power, err := py.Pow(10, 4300)
	if err != nil {
		t.Fatal(err)
	}
	_, written := py.JSON(py.NewDict("result", power))
	for name, err := range map[string]error{"ParseJSON": ofJSON, "ParseToken": ofToken, "Int": ofInt,
		"JSON": written} {
		if err == nil || !strings.Contains(err.Error(), limit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v, err := py.ParseJSON([]byte(long[1:])); err != nil || py.Repr(v) != long[1:] {
		t.Errorf("4,300 digits are not read: %v", err)
	}
}
