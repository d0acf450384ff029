package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
)

func readCommandLinePage(t *testing.T) string {
	t.Helper()
	return readText(t, "../../docs/reference/cli.md")
}

// section returns a page's text below a heading of the second level, up to the next.
func section(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n## "+heading+"\n")
	before, _, _ := strings.Cut(rest, "\n## ")
	return before
}

// sharedFlags is the section that documents the common flags.
const sharedFlags = "Flags and variables"

func TestCommandLinePage_HasEveryCommandAndFlag(t *testing.T) {
	page := readCommandLinePage(t)
	root := newRoot(&app{in: &bytes.Buffer{}, out: text.NewOutput(&bytes.Buffer{}), err: text.NewOutput(&bytes.Buffer{})})
	for _, command := range root.Commands() {
		if command.Hidden || command.Name() == "help" {
			continue
		}
		path := "docs/reference/cli/" + command.Name() + ".md"
		content, err := os.ReadFile("../../" + path)
		if text := string(content); err != nil || !strings.HasPrefix(text, "# awhost "+command.Name()+"\n\n```\nawhost ") {
			t.Errorf("%s (%v): write a page that begins with a block of code with `awhost %s`, and has each flag and an example",
				path, err, command.Use)
			continue
		}
		if link := fmt.Sprintf("[%[1]s](cli/%[1]s.md)", command.Name()); !strings.Contains(page, link) {
			t.Errorf("the first table of docs/reference/cli.md has no %s: add it to the row of its purpose", link)
		}
		text := string(content)
		for _, part := range append(command.Commands(), command) {
			if part.Runnable() && !strings.Contains(text, part.CommandPath()) {
				t.Errorf("%s does not show `%s`", path, part.CommandPath())
			}
			checkFlags(t, part, path, text+section(page, sharedFlags))
		}
	}
}

func checkFlags(t *testing.T, command *cobra.Command, path, text string) {
	command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !regexp.MustCompile(`--` + regexp.QuoteMeta(f.Name) + `\b`).MatchString(text) {
			t.Errorf("%s does not explain the flag --%s of %s: explain it there, or in docs/reference/cli.md under %q",
				path, f.Name, command.CommandPath(), sharedFlags)
		}
	})
}

// A flag that was removed or renamed must not remain in the page.
func TestCommandLinePage_PromisesNoFlagThatIsNotThere(t *testing.T) {
	known := map[string]bool{"--help": true}
	root := newRoot(&app{in: &bytes.Buffer{}, out: text.NewOutput(&bytes.Buffer{}), err: text.NewOutput(&bytes.Buffer{})})
	collect := func(f *pflag.Flag) { known["--"+f.Name] = true }
	root.PersistentFlags().VisitAll(collect)
	for _, command := range root.Commands() {
		for _, part := range append(command.Commands(), command) {
			part.Flags().VisitAll(collect)
		}
	}
	paths, err := filepath.Glob("../../docs/reference/cli/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, "../../docs/reference/cli.md") {
		for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(readText(t, path), -1) {
			if !known[flag] {
				t.Errorf("%s mentions %s, which is not a flag of any command", path, flag)
			}
		}
	}
}

func TestCommandLinePage_HasEveryExitCode(t *testing.T) {
	table := section(readCommandLinePage(t), "Exit codes")
	for _, code := range run.ExitCodes {
		if row := fmt.Sprintf("| %d | `%s` | ", code.Number, code.Name); !strings.Contains(table, row) {
			t.Errorf("the table of exit codes in docs/reference/cli.md has no row %q", row)
		}
	}
	if rows, codes := len(regexp.MustCompile(`(?m)^\| \d+ \|`).FindAllString(table, -1)),
		len(run.ExitCodes); rows != codes {
		t.Errorf("the table of exit codes in docs/reference/cli.md has %d rows for %d codes", rows, codes)
	}
}
