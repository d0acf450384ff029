// Package readme keeps the generated tables of a README up to date, and turns the blocks of a page into commands.
//
// A test in the package next to a README calls [CheckTables]. .ci/tutorial runs the commands that [Script] returns.
package readme

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// CheckTables compares the tables in README.md with the expected ones, by the name in the comment before each table.
// With update, it writes them instead, for go generate. It returns the file's expected contents.
func CheckTables(t *testing.T, update bool, tables map[string]string) string {
	t.Helper()
	return CheckTablesOf(t, "README.md", update, tables)
}

// CheckTablesOf checks the tables on another page in the same way.
func CheckTablesOf(t *testing.T, path string, update bool, tables map[string]string) string {
	t.Helper()
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(was)
	for name, table := range tables {
		start := fmt.Sprintf("<!-- generated: %s -->\n", name)
		before, rest, ok := strings.Cut(text, start)
		_, after, ok2 := strings.Cut(rest, "<!-- end -->")
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the table of the %s", path, name)
		}
		text = before + start + table + "<!-- end -->" + after
	}
	if update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if diff := cmp.Diff(string(was), text); diff != "" {
		t.Errorf("%s is out of date: run go generate ./%s (-is +should be):\n%s", path, here(t), diff)
	}
	return text
}

// here returns the test's directory, relative to the module root.
func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, "go.mod")); err == nil || top == filepath.Dir(top) {
			below, err := filepath.Rel(top, dir)
			if err != nil {
				t.Fatal(err)
			}
			return filepath.ToSlash(below)
		}
	}
}

// Item breaks a list item, which begins with "* ", into lines of at most 120 columns. It has its own loop: tests of the
// SDK import this package, and every import becomes a requirement of plugins in other modules.
func Item(text string) string {
	var out strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+width > 118:
			out.WriteString("\n  ")
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += width
	}
	return out.String() + "\n"
}
