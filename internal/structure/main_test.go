package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPage_HasTodaysFigures compares the rows of awhost in docs/explain/structure.md with the repository, within 10 %,
// since almost every commit moves a figure.
func TestPage_HasTodaysFigures(t *testing.T) {
	now, err := scan("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../" + pagePath)
	if err != nil {
		t.Fatal(err)
	}
	want := withOurs(string(page), now)
	if !cmp.Equal(string(page), want, cmp.Comparer(near)) {
		t.Errorf("%s is out of date: run go run ./internal/structure -update\n%s", pagePath, cmp.Diff(string(page), want))
	}
	if now.Upwards != 0 {
		t.Errorf("%d imports go upwards", now.Upwards)
	}
	bars := wording{Comments: 0.015, Messages: 0.01, Functions: 0.08, Wide: 4}
	if w := now.Wording; w.Comments > bars.Comments || w.Messages > bars.Messages || w.Functions > bars.Functions ||
		w.Wide > bars.Wide {
		t.Errorf("the wording is %+v, want at most %+v: see go run ./internal/style", w, bars)
	}
}

var number = regexp.MustCompile(`\d+(\.\d+)?`)

// near reports whether two texts differ only in numbers, each by 1 in its last digit or by 10 % at most.
func near(a, b string) bool {
	if number.ReplaceAllString(a, "n") != number.ReplaceAllString(b, "n") {
		return false
	}
	others := number.FindAllString(b, -1)
	for i, n := range number.FindAllString(a, -1) {
		x, _ := strconv.ParseFloat(n, 64)
		y, _ := strconv.ParseFloat(others[i], 64)
		digit := 1.0
		if strings.Contains(n, ".") {
			digit = 0.1
		}
		if math.Abs(x-y) > max(digit, 0.1*x, 0.1*y)+1e-9 {
			return false
		}
	}
	return true
}

func TestNear(t *testing.T) {
	for texts, want := range map[[2]string]bool{
		{"| 12 / 943 |", "| 13 / 1040 |"}: true,
		{"| 12 / 943 |", "| 14 / 943 |"}:  false,
		{"| 12 / 943 |", "| 12 / 1060 |"}: false,
		{"| 0.5 % |", "| 0.5 |"}:          false,
		{"| 0.5 % |", "| 0.6 % |"}:        true,
		{"| 0.5 % |", "| 0.7 % |"}:        false,
	} {
		if near(texts[0], texts[1]) != want || near(texts[1], texts[0]) != want {
			t.Errorf("%q: near is not %t", texts, want)
		}
	}
}

func TestWithOurs_ReplacesBothRows(t *testing.T) {
	old := figures{Functions: 144, Comments: 0.1}
	now := figures{Functions: 151, Comments: 0.1, Wording: wording{Messages: 0.01}}
	both := func(f figures) string { return pageOf([]row{{"awhost", "this repository", f}, {"age", "v1.2.1", old}}) }
	if got := withOurs(both(old), now); got != both(now) {
		t.Error(cmp.Diff(both(now), got))
	}
}

func body(t *testing.T, text string) *ast.BlockStmt {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+text+"\n}", 0)
	if err != nil {
		t.Fatal(err)
	}
	return file.Decls[0].(*ast.FuncDecl).Body
}

func TestNestingAndComplexity(t *testing.T) {
	for text, want := range map[string][2]int{
		"return":                                   {0, 1},
		"if a {} else if b {} else if c {}":        {1, 4},
		"for { if a && b { func() { }() } }":       {3, 4},
		"switch { case a: ; case b: default:}":     {1, 3},
		"if a { for range b {} } else { if c {} }": {2, 4},
		"select { case <-a: default: }":            {1, 2},
	} {
		b := body(t, text)
		if got := [2]int{nesting(b), complexity(b)}; got != want {
			t.Errorf("%s: nesting and complexity are %v, want %v", text, got, want)
		}
	}
}

func TestUpwards_CountsTheRarerDirection(t *testing.T) {
	arrows := map[arrow]int{{"cmd", "host"}: 5, {"host", "cmd"}: 2, {"host", "sdk"}: 9, {"a", "b"}: 1, {"b", "a"}: 1}
	if got := upwards(arrows); got != 3 {
		t.Errorf("got %d, want 2 from host to cmd and 1 between a and b", got)
	}
}

func TestSpread(t *testing.T) {
	values := make([]int, 101)
	for i := range values {
		values[i] = 100 - i
	}
	if got := spreadOf(values); got != (spread{50, 90, 99, 100}) {
		t.Errorf("got %v", got)
	}
}
