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
)

const (
	markerRule = "markers"
	// markersSince is the last commit written in the old style. Lines added after it must not contain a marker.
	markersSince = "c61d0f00cb0e35c5bd3105d9b0f8129d2ce1f75f"
)

// marker is a turn of phrase that the house style rejects, and its replacement.
type marker struct {
	pattern *regexp.Regexp
	advice  string
}

func newMarker(pattern, advice string) marker {
	return marker{regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`), advice}
}

var markers = []marker{
	newMarker(`(?:says?|tells?|told) (?:whether|what|how|that|which|why|of|where|if|who)`,
		"reports whether, returns, describes, names"),
	newMarker(`(?:is|are) what|(?:is|are) none|there is none`, "name the thing, or use: is empty, is missing"),
	newMarker(`(?:that|those) of|those (?:that|who|which)`, "repeat the noun"),
	newMarker(`(?:is|are|was|were|be) no \w+`, "is not a, has no"),
	newMarker(`nobody|somebody|whoever|whichever`, "name the caller or process, or use the passive"),
	newMarker(`(?:goes|go|went|going) on`, "continues, resumes, proceeds, is running"),
	newMarker(`stands?|stood`, "is, appears, is listed, is defined"),
	newMarker(`(?:is|are|was|were) over|at an end`, "has ended, is finished"),
	newMarker(`but for`, "except for, apart from"),
	newMarker(`beside`, "next to, in addition to, compared with"),
	newMarker(`hears?|heard|in the words of`, "receives, is notified, in … format"),
	newMarker(`of (?:its|their|his|our|your) own|of (?:yours|theirs|ours)`, "its own X, a separate X"),
	newMarker(`anew|for ever|lest`, "again, forever, so that … not"),
	newMarker(`in (?:the|its) place(?: of)?`, "instead of, replaces"),
	newMarker(`held (?:to|against)`, "checked against, validated by"),
}

// properEnglish matches correct phrases that a marker would match.
var properEnglish = regexp.MustCompile(
	"(?i)\\b(?:no longer|no more|no one|no guarantee|(?:is|are|was|were) over [0-9]+|what (?:is|are) left)\\b" +
		"|`[^`]*`|\\]\\([^)]*\\)") // code and the targets of links

// proseLine matches lines that people read: comments, list items, sentences, errors, and diagnostics.
var proseLine = regexp.MustCompile(
	`^\s*(?://|#|[A-Z*-]|""")|\s//\s|\s#\s|Errorf|errors\.New|Summary|Detail|Error\(|raise `)

// markedLines returns the added lines that contain a marker.
func markedLines(added []finding) []finding {
	var found []finding
	for _, line := range added {
		// The rules quote the phrases that they reject.
		if strings.HasPrefix(line.path, "internal/style/") || !proseLine.MatchString(line.text) {
			continue
		}
		text := properEnglish.ReplaceAllString(line.text, "")
		for _, m := range markers {
			if hit := m.pattern.FindString(text); hit != "" {
				found = append(found, finding{markerRule, line.path, line.line, fmt.Sprintf("%q: write: %s", hit, m.advice)})
			}
		}
	}
	return found
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+([0-9]+)`)

// addedLines returns the lines of the files that commit since does not have. A line that moved, within a file or
// between two, is not an added line.
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
