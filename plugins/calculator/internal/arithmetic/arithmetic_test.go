package arithmetic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
)

func TestRunComputes(t *testing.T) {
	tests := []struct {
		name, arguments string
		want            int64
	}{
		{"add", `{"a":17,"b":25}`, 42},
		{"add", ` { "b" : 25 , "a" : 17 } `, 42},
		{"sub", `{"a":3,"b":28}`, -25},
		{"mul", `{"a":1000000000,"b":-1000000000}`, -1000000000000000000},
		{"mod", `{"a":17,"b":5}`, 2},
		{"mod", `{"a":-17,"b":5}`, -2},
		{"add", `{"a":17.0,"b":2.5e1}`, 42},
		{"add", `{"a":-0,"b":0}`, 0},
	}
	for _, test := range tests {
		got, err := arithmetic.Run(test.name, test.arguments)
		if err != nil || got.Result != test.want {
			t.Errorf("%s %s = %d, %v; want %d", test.name, test.arguments, got.Result, err, test.want)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	tests := []struct {
		name, arguments string
		want            error
	}{
		{"div", `{"a":1,"b":2}`, arithmetic.ErrNoTool},
		{"", `{"a":1,"b":2}`, arithmetic.ErrNoTool},
		{"ADD", `{"a":1,"b":2}`, arithmetic.ErrNoTool},
		{"add", ``, arithmetic.ErrArguments},
		{"add", `null`, arithmetic.ErrArguments},
		{"add", `[1,2]`, arithmetic.ErrArguments},
		{"add", `"{\"a\":1,\"b\":2}"`, arithmetic.ErrArguments},
		{"add", `{}`, arithmetic.ErrArguments},
		{"add", `{"a":1}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":"2"}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":null}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":{"b":2}}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":2.5}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":2,"c":3}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"a":1,"b":2}`, arithmetic.ErrArguments},
		{"add", `{"A":1,"B":2}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":2} {}`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":2`, arithmetic.ErrArguments},
		{"add", `{"a":1,"b":` + strings.Repeat("[", 100_000), arithmetic.ErrArguments},
		{"add", `{"a":1000000001,"b":2}`, arithmetic.ErrTooLarge},
		{"add", `{"a":1,"b":-99999999999999999999999}`, arithmetic.ErrTooLarge},
		{"add", `{"a":1e999999999,"b":2}`, arithmetic.ErrTooLarge},
		{"mod", `{"a":1,"b":0}`, arithmetic.ErrZero},
	}
	for _, test := range tests {
		if got, err := arithmetic.Run(test.name, test.arguments); !errors.Is(err, test.want) {
			t.Errorf("%s %.60s = %v, %v; want %v", test.name, test.arguments, got, err, test.want)
		}
	}
}

// Run accepts exactly the arguments that match the schema for models.
func TestParametersAgreeWithRun(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(arithmetic.Parameters())))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("parameters.json", document); err != nil {
		t.Fatal(err)
	}
	parameters, err := compiler.Compile("parameters.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{
		`{"a":17,"b":25}`, `{"a":17.0,"b":25}`, `{"a":17.5,"b":25}`, `{"a":17}`, `{"a":17,"b":25,"c":1}`, `{"a":"17","b":25}`,
		`[]`, `null`, `{"a":1000000000,"b":-1000000000}`, `{"a":1000000001,"b":0}`, `{"a":true,"b":0}`, `{"a":1e3,"b":0}`,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(arguments))
		if err != nil {
			t.Fatal(err)
		}
		_, runErr := arithmetic.Run("add", arguments)
		if allowed := parameters.Validate(value) == nil; allowed != (runErr == nil) {
			t.Errorf("%s: the schema allows it: %t, Run says %v", arguments, allowed, runErr)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want arithmetic.Problem
	}{
		{"17+25=", arithmetic.Problem{Operation: arithmetic.Add, A: 17, B: 25}},
		{" 3 - 28 = \n", arithmetic.Problem{Operation: arithmetic.Sub, A: 3, B: 28}},
		{"0%99=", arithmetic.Problem{Operation: arithmetic.Mod, A: 0, B: 99}},
	} {
		got, err := arithmetic.Parse(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
	for _, text := range []string{"", "17+25", "17/25=", "1234567890+1=", "-1+2=", "17+25=42", "1%0=", "１+２=",
		strings.Repeat("9", 1<<20)} {
		if got, err := arithmetic.Parse(text); err == nil {
			t.Errorf("%.20q parses as %v", text, got)
		} else if len(err.Error()) > 300 {
			t.Errorf("%.20q: the error has %d bytes", text, len(err.Error()))
		}
	}
}

func TestProblemsAreAllThereIsOnce(t *testing.T) {
	seen := map[string]bool{}
	operands := map[bool]map[string]bool{false: {}, true: {}}
	for _, heldOut := range []bool{false, true} {
		for _, p := range arithmetic.Problems(arithmetic.Operations(), heldOut, 1) {
			if seen[p.ID()] {
				t.Fatalf("%s is listed twice", p.ID())
			}
			seen[p.ID()] = true
			operands[heldOut][fmt.Sprint(p.A, p.B)] = true
			parsed, err := arithmetic.Parse(p.Question())
			if err != nil || parsed != p {
				t.Fatalf("%v asks %s, which parses as %v, %v", p, p.Question(), parsed, err)
			}
		}
	}
	if len(seen) != 4*100*99 {
		t.Errorf("%d problems, want every pair of operands with every operation", len(seen))
	}
	for pair := range operands[true] {
		if operands[false][pair] {
			t.Errorf("operands %s are both held out and trained on", pair)
		}
	}
	only := arithmetic.Problems([]arithmetic.Operation{arithmetic.Mul}, true, 1)
	if len(only) != len(operands[true]) || only[0].Operation != arithmetic.Mul {
		t.Errorf("one operation gives %d problems, want %d", len(only), len(operands[true]))
	}
}

// The order for a seed is part of the contract: it must not change with Go or with this package.
func TestProblemsKeepTheirOrder(t *testing.T) {
	var got []string
	for _, p := range arithmetic.Problems(arithmetic.Operations(), false, 1)[:6] {
		got = append(got, p.ID())
	}
	want := []string{"mod-68-18", "sub-72-38", "mul-6-30", "mul-0-50", "mod-81-56", "sub-37-11"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestBelowReachesEveryNumber(t *testing.T) {
	random := rand.NewPCG(1, 2)
	counts := make([]int, 7)
	for range 7000 {
		counts[arithmetic.Below(random, 7)]++
	}
	for n, count := range counts {
		if count < 850 || count > 1150 {
			t.Errorf("%d was drawn %d times out of 7000", n, count)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add("add", `{"a":17,"b":25}`)
	f.Add("mod", `{"a":1e2,"b":0}`)
	f.Fuzz(func(t *testing.T, name, arguments string) {
		call, err := arithmetic.Run(name, arguments)
		if err != nil {
			return
		}
		var read struct{ A, B json.Number }
		if err := json.Unmarshal([]byte(arguments), &read); err != nil {
			t.Fatalf("Run accepts %q, which is no JSON: %v", arguments, err)
		}
		if max(call.A, -call.A, call.B, -call.B) > arithmetic.MaxOperand {
			t.Fatalf("Run accepts operands beyond the limit: %q", arguments)
		}
	})
}
