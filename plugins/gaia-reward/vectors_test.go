package gaiareward

import (
	"math"
	"strconv"
	"testing"

	"github.com/awhost/awhost/internal/vectors"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/pytext"
)

// The vectors were made by running AWorld's own Python function. Each test compares all records of its file and fails
// if the file is empty.

func TestReferenceEqualsTheOriginal(t *testing.T) {
	type vector struct {
		Solution any     `json:"solution_str"`
		Truth    any     `json:"ground_truth"`
		Expected float64 `json:"expected"`
		Category string  `json:"category"`
	}
	for i, v := range vectors.Read[vector](t, "gaia_vectors.jsonl") {
		got, failure := judge(reference, v.Solution, v.Truth)
		if failure != nil || sdk.Flag(got.Correct) != v.Expected {
			t.Errorf("record %d (%s): %q against %q scores %v, %v; want %v", i+1, v.Category, v.Solution, v.Truth,
				sdk.Flag(got.Correct), failure, v.Expected)
		}
	}
}

func TestReferenceEqualsTheOriginalOnOtherTypes(t *testing.T) {
	type vector struct {
		Solution any      `json:"solution_str"`
		Truth    any      `json:"ground_truth"`
		Expected *float64 `json:"expected"`
		Error    string   `json:"error"`
	}
	for i, v := range vectors.Read[vector](t, "gaia_vectors_nonstring.jsonl") {
		got, failure := judge(reference, v.Solution, v.Truth)
		switch {
		case v.Error != "" && failure == nil:
			t.Errorf("record %d: %v against %v gives %v, want a failure for %s", i+1, v.Solution, v.Truth, failure, v.Error)
		case v.Expected != nil && (failure != nil || sdk.Flag(got.Correct) != *v.Expected):
			t.Errorf("record %d: %v against %v scores %v, %v; want %v", i+1, v.Solution, v.Truth, sdk.Flag(got.Correct), failure,
				*v.Expected)
		}
	}
}

func TestParseFloatEqualsPython(t *testing.T) {
	type vector struct {
		S   string `json:"s"`
		OK  bool   `json:"ok"`
		Hex string `json:"hex"`
	}
	for i, v := range vectors.Read[vector](t, "gaia_pyfloat_vectors.jsonl") {
		got, ok := pytext.ParseFloat(v.S)
		if ok != v.OK {
			t.Errorf("record %d: pytext.ParseFloat(%q) succeeds: %v, want %v", i+1, v.S, ok, v.OK)
			continue
		}
		if !ok {
			continue
		}
		want, err := strconv.ParseFloat(v.Hex, 64)
		if err != nil {
			t.Fatalf("record %d: %v", i+1, err)
		}
		bothNaN := math.IsNaN(got) && math.IsNaN(want)
		if math.Float64bits(got) != math.Float64bits(want) && !bothNaN {
			t.Errorf("record %d: pytext.ParseFloat(%q) = %x, want %s", i+1, v.S, got, v.Hex)
		}
	}
}

func TestNormaliseEqualsPython(t *testing.T) {
	type vector struct {
		S     string `json:"s"`
		Keep  string `json:"keep"`
		Drop  string `json:"drop"`
		Strip string `json:"strip"`
	}
	for i, v := range vectors.Read[vector](t, "gaia_normalize_vectors.jsonl") {
		if got := normalise(v.S, keepPunctuation); got != v.Keep {
			t.Errorf("record %d: normalise(%q, keep) = %q, want %q", i+1, v.S, got, v.Keep)
		}
		if got := normalise(v.S, dropPunctuation); got != v.Drop {
			t.Errorf("record %d: normalise(%q, drop) = %q, want %q", i+1, v.S, got, v.Drop)
		}
		if got := pytext.Strip(v.S); got != v.Strip {
			t.Errorf("record %d: pytext.Strip(%q) = %q, want %q", i+1, v.S, got, v.Strip)
		}
	}
}
