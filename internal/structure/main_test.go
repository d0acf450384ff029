package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFigures_AreNoWorseThanThePage compares the repository with the figures in docs/explain/structure.md. A figure may
// improve, or get worse by at most a twentieth, so that one more line in a file at a percentile does not fail the
// test.
func TestFigures_AreNoWorseThanThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/explain/structure.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^\| awhost \|.*$`).FindString(string(page))
	cells := strings.Split(line, "|")
	if len(cells) != 11 {
		t.Fatalf("docs/explain/structure.md has no row for awhost: %q", line)
	}
	now, err := scan("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		cell string
		now  spread
	}{
		{"lines", cells[4], now.Lines}, {"nesting", cells[5], now.Nesting},
		{"complexity", cells[6], now.Complexity}, {"file", cells[7], now.Files},
	} {
		var then spread
		_, err := fmt.Sscanf(strings.TrimSpace(c.cell), "%d / %d / %d / %d", &then.P50, &then.P90, &then.P99, &then.Max)
		if err != nil {
			t.Fatalf("%s: %q: %v", c.name, c.cell, err)
		}
		worse := func(now, then int) bool { return now > then+then/20 }
		if worse(c.now.P50, then.P50) || worse(c.now.P90, then.P90) || worse(c.now.P99, then.P99) {
			t.Errorf("%s: %s, and docs/explain/structure.md has %s", c.name, c.now, then)
		}
	}
	if now.Upwards != 0 {
		t.Errorf("%d imports go upwards", now.Upwards)
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
