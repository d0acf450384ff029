package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/internal/prose"
)

const (
	subjectRule = "subject"
	// subjectsSince is the last commit whose subject is not checked.
	subjectsSince = "144bb05a3cfa0a3b4d87504956342f4f8d7e6709"
	subjectWidth  = 72
)

// indicative matches a subject that begins with a past tense, a gerund, or a third-person verb, after an optional
// "package: ".
var indicative = regexp.MustCompile(`^(?:[\w./-]+: )?(?i:[a-z]{2,}(?:ed|ing)|adds|fixes|removes|makes|uses|renames) `)

// imperativeLike matches imperatives that have the ending of another form.
var imperativeLike = regexp.MustCompile(`^(?:[\w./-]+: )?(?i:embed|need|feed|shred|speed|bring|string) `)

// subjectFaults returns the commits after since whose subject is too long, contains a marker, or is not imperative. The
// path of a finding is the abbreviated hash.
func subjectFaults(root, since string) ([]finding, error) {
	cmd := exec.Command("git", "log", "--no-merges", "--format=%h %s", since+"..HEAD")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git log %.8s..HEAD: run git fetch --unshallow if the clone is shallow: %w", since, err)
	}
	var found []finding
	for line := range strings.Lines(string(out)) {
		commit, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, fault := range faultsOfSubject(subject) {
			found = append(found, finding{rule: subjectRule, path: commit, text: fault})
		}
	}
	return found, nil
}

func faultsOfSubject(subject string) []string {
	var faults []string
	if n := utf8.RuneCountInString(subject); n > subjectWidth {
		faults = append(faults, fmt.Sprintf("%q has %d characters: write at most %d", subject, n, subjectWidth))
	}
	if phrase, advice := prose.Marked(subject); phrase != "" {
		faults = append(faults, fmt.Sprintf("%q: %q: write: %s", subject, phrase, advice))
	}
	if indicative.MatchString(subject) && !imperativeLike.MatchString(subject) {
		faults = append(faults, fmt.Sprintf("%q: begin with a verb in the imperative", subject))
	}
	return faults
}
