package verl

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTail_ReadsEachLineOnceAndLeavesAnUnfinishedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	tail := &tail{path: path}
	next := func() (got []numbers, err error) {
		err = tail.each(func(n numbers) error { got = append(got, n); return nil })
		return got, err
	}
	if got, err := next(); err != nil || got != nil {
		t.Fatalf("of no file: %v, %v", got, err)
	}
	write := func(text string) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"step":0,"data":{"val-core/x/acc/mean@1":0.5}}` + "\n" + `{"step":1,"data":{"actor/lr":1e-3,"nan":NaN,"inf":-Infinity,"null":null,"text":"NaN \" Infinity"}}` + "\n" + `{"step":2,"da`)
	got, err := next()
	want := []numbers{{0, map[string]float64{"val-core/x/acc/mean@1": 0.5}}, {1, map[string]float64{
		"actor/lr": 1e-3, "nan": math.NaN(), "inf": math.NaN(), "null": math.NaN()}}}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || err != nil {
		t.Fatalf("error %v, difference:\n%s", err, diff)
	}
	write(`ta":{}}` + "\n")
	got, err = next()
	if diff := cmp.Diff([]numbers{{2, map[string]float64{}}}, got); diff != "" || err != nil {
		t.Fatalf("error %v, difference:\n%s", err, diff)
	}
	write(`{"step":3,"data":{}}` + "\n")
	refuses := errors.New("no")
	if err := tail.each(func(numbers) error { return refuses }); !errors.Is(err, refuses) {
		t.Errorf("the error of a line is %v", err)
	}
	if got, err := next(); err != nil || len(got) != 1 || got[0].Step != 3 {
		t.Errorf("a line that failed is not read again: %v, %v", got, err)
	}
	write("garbage\n")
	if _, err := next(); err == nil {
		t.Error("a line that is no JSON was taken")
	}
}

func FuzzParseNumbers(f *testing.F) {
	f.Add([]byte(`{"step":1,"data":{"a":NaN,"b":"-Infinity","c":1e400}}`))
	f.Add([]byte(`{"step":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if got, err := parseNumbers(line); err == nil && got.Values == nil {
			t.Error("numbers without a map")
		}
	})
}
