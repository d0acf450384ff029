package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/internal/prose"
)

const (
	markerRule   = "markers"
	functionRule = "functions"
	addedRule    = "added"
	// markersSince is the last commit written in the old style. Lines added after it must not contain a marker.
	markersSince = "c61d0f00cb0e35c5bd3105d9b0f8129d2ce1f75f"
)

// proseLine matches lines that people read: comments, list items, sentences, errors, and diagnostics.
var proseLine = regexp.MustCompile(
	`^\s*(?://|#|[A-Z*-]|""")|\s//\s|\s#\s|Errorf|errors\.New|Summary|Detail|Error\(|raise `)

// markedTexts returns the texts in the files that contain a marker, and the functions whose documentation does not
// state an action. In Go files, texts are comments and messages; in other files, they are lines that look like prose.
func markedTexts(root string, files []string) ([]finding, error) {
	var found []finding
	for _, path := range files {
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		if filepath.Ext(path) != ".go" {
			var lines []finding
			for i, line := range strings.Split(string(source), "\n") {
				lines = append(lines, finding{path: path, line: i + 1, text: line})
			}
			found = append(found, markedLines(lines)...)
			continue
		}
		texts, err := prose.Texts(path, source)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			if prose.Inactive(t) {
				found = append(found, finding{functionRule, path, t.Line, fmt.Sprintf("%q: begin with an active verb", t.Text)})
			}
			found = append(found, marked(path, t.Line, t.Text)...)
		}
	}
	return found, nil
}

// markedLines returns the prose lines that contain a marker.
func markedLines(lines []finding) []finding {
	var found []finding
	for _, line := range lines {
		if proseLine.MatchString(line.text) {
			found = append(found, marked(line.path, line.line, line.text)...)
		}
	}
	return found
}

func marked(path string, line int, text string) []finding {
	phrase, advice := prose.Marked(text)
	// The rules quote the phrases that they reject.
	if phrase == "" || strings.HasPrefix(path, "internal/style/") || strings.HasPrefix(path, "internal/prose/") ||
		prose.KeepsWording(path, text) {
		return nil
	}
	return []finding{{markerRule, path, line, fmt.Sprintf("%q: write: %s", phrase, advice)}}
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+([0-9]+)`)

// addedLines returns the lines in the files that are not in the commit since. A line that was moved, within a file or
// between two files, does not count as added.
func addedLines(root, since string, files []string) ([]finding, error) {
	git := func(arguments ...string) ([]byte, error) {
		cmd := exec.Command("git", arguments...)
		cmd.Dir = root
		return cmd.Output()
	}
	if _, err := git("cat-file", "-e", since+"^{commit}"); err != nil {
		return nil, fmt.Errorf("commit %.8s is missing: run git fetch --unshallow: %w", since, err)
	}
	diff, err := git("-c", "core.quotepath=false",
		"diff", "--unified=0", "--no-renames", "--no-color", "--no-ext-diff", since)
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", since, err)
	}
	added, removed := parseDiff(diff)
	untracked, err := git("-c", "core.quotepath=false", "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for path := range strings.Lines(string(untracked)) {
		path = strings.TrimSpace(path)
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		for number, line := range strings.Split(string(text), "\n") {
			added = append(added, finding{path: path, line: number + 1, text: line})
		}
	}
	checked := map[string]bool{}
	for _, path := range files {
		checked[path] = true
	}
	return slices.DeleteFunc(added, func(f finding) bool {
		return !checked[f.path] || removed[strings.TrimSpace(f.text)]
	}), nil
}

// parseDiff returns the added lines of a diff without context, and the removed lines without their indentation.
func parseDiff(diff []byte) (added []finding, removed map[string]bool) {
	removed = map[string]bool{}
	var path string
	var number int
	for raw := range bytes.SplitSeq(diff, []byte("\n")) {
		line := string(raw)
		switch at := hunk.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "+++ b/"):
			path = line[len("+++ b/"):]
		case at != nil:
			number, _ = strconv.Atoi(at[1]) // the pattern admits digits only
		case strings.HasPrefix(line, "+"):
			added = append(added, finding{path: path, line: number, text: line[1:]})
			number++
		case strings.HasPrefix(line, "-"):
			removed[strings.TrimSpace(line[1:])] = true
		}
	}
	return added, removed
}
