// Command rewording checks that a change to comments changed no code, and lists facts that the comments lost.
//
//	go run ./internal/rewording COMMIT    compares the Go files of the work tree with a commit
//
// It fails if a file differs in a token outside comments, or was added or removed. For each file it prints the
// numbers, links and identifiers that appear less often in the comments than before (-) and more often (+). The list
// is for a reviewer: a sentence may drop a repeated name, but a bound must not be lost.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/rewording COMMIT")
		os.Exit(2)
	}
	if err := compare(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rewording:", err)
		os.Exit(1)
	}
}

func compare(since string) error {
	status, err := exec.Command("git", "diff", "--name-status", "--no-renames", since, "--", "*.go").Output()
	if err != nil {
		return fmt.Errorf("git diff %s: %w", since, err)
	}
	var errs []error
	for line := range strings.Lines(string(status)) {
		kind, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if kind != "M" {
			errs = append(errs, fmt.Errorf("%s: added or removed", path))
			continue
		}
		before, err := exec.Command("git", "show", since+":"+path).Output()
		if err != nil {
			return fmt.Errorf("git show %s:%s: %w", since, path, err)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		old, now := split(before), split(after)
		if !slices.Equal(old.code, now.code) {
			errs = append(errs, fmt.Errorf("%s: differs outside comments", path))
		}
		if lost := difference(old.facts(), now.facts()); len(lost) > 0 {
			fmt.Printf("%s: %s\n", path, strings.Join(lost, " "))
		}
	}
	return errors.Join(errs...)
}

// parts are the comments and the other tokens of a Go file. Directives such as //go:build count as code.
type parts struct {
	code     []string
	comments bytes.Buffer
}

func split(source []byte) *parts {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(source)), source, nil, scanner.ScanComments)
	p := &parts{}
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return p
		case kind == token.COMMENT && !directive.MatchString(text):
			p.comments.WriteString(text + "\n")
		case kind == token.SEMICOLON: // an automatic one has the text "\n"
			p.code = append(p.code, ";")
		default:
			p.code = append(p.code, kind.String()+" "+text)
		}
	}
}

var (
	directive = regexp.MustCompile(`^//(?:[a-z]+:|line |export |nolint)`)
	unit      = `ns|µs|ms|s|min|h|[KMG]?B|[KMG]iB|tokens|bytes|seconds|minutes|hours|days`
	fact      = regexp.MustCompile(`https?://\S+` + // a link
		`|[0-9][0-9.,:/]*(?:\s?(?:` + unit + `)\b|%)?` + // a number and its unit
		`|\b[A-Za-z]+(?:[._][A-Za-z0-9]+)+\b` + // a.b, a_b
		`|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[A-Z][A-Z0-9_]{2,}\b` + // aB, AbC, ABC
		`|"[^"\n]*"|` + "`[^`\n]*`")
)

// facts counts the numbers, links, and identifiers in the comments.
func (p *parts) facts() map[string]int {
	counts := map[string]int{}
	for _, f := range fact.FindAllString(p.comments.String(), -1) {
		counts[strings.TrimRight(f, ".,:/")]++
	}
	return counts
}

// difference lists the facts whose counts differ, sorted.
func difference(before, after map[string]int) []string {
	var changed []string
	for f, n := range before {
		if after[f] < n {
			changed = append(changed, "-"+f)
		}
	}
	for f, n := range after {
		if before[f] < n {
			changed = append(changed, "+"+f)
		}
	}
	slices.Sort(changed)
	return changed
}
