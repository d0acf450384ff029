package main

import (
	"bytes"
	"fmt"
	"os"
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
	text, err := os.ReadFile("../../docs/reference/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns a page's text below a heading of the second level, up to the next. Without a heading it returns the
// text above the first.
func section(page, heading string) string {
	if heading == "" {
		before, _, _ := strings.Cut(page, "\n## ")
		return before
	}
	_, rest, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		return ""
	}
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
		text := section(page, command.Name())
		if text == "" {
			t.Errorf("docs/reference/cli.md has no section \"## %s\": write one that begins with a block of code with `awhost %s`, "+
				"and has each flag and an example", command.Name(), command.Use)
			continue
		}
		if link := fmt.Sprintf("[%[1]s](#%[1]s)", command.Name()); !strings.Contains(section(page, ""), link) {
			t.Errorf("the table at the beginning of docs/reference/cli.md has no %s: add it to the row of what it is used for", link)
		}
		for _, part := range append(command.Commands(), command) {
			if part.Runnable() && !strings.Contains(text, part.CommandPath()) {
				t.Errorf("section %s of docs/reference/cli.md does not show `%s`", command.Name(), part.CommandPath())
			}
			checkFlags(t, part, text+section(page, sharedFlags))
		}
	}
}

func checkFlags(t *testing.T, command *cobra.Command, text string) {
	command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !regexp.MustCompile(`--` + regexp.QuoteMeta(f.Name) + `\b`).MatchString(text) {
			t.Errorf("docs/reference/cli.md does not explain the flag --%s of %s: in its section, or under %q where it is of several",
				f.Name, command.CommandPath(), sharedFlags)
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
	for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(readCommandLinePage(t), -1) {
		if !known[flag] {
			t.Errorf("docs/reference/cli.md mentions %s, which no command has", flag)
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
	if rows, codes := len(regexp.MustCompile(`(?m)^\| \d+ \|`).FindAllString(table, -1)), len(run.ExitCodes); rows != codes {
		t.Errorf("the table of exit codes in docs/reference/cli.md has %d rows for %d codes", rows, codes)
	}
}
