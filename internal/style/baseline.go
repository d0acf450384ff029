package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// finding is a place that violates a rule.
type finding struct {
	rule, path string
	line       int // from 1
	text       string
}

// place is the unit of counting: a rule in a file.
type place struct{ rule, path string }

func parseBaseline(text []byte) (map[place]int, error) {
	allowed := map[place]int{}
	for number, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: want RULE PATH COUNT, got %q", number+1, line)
		}
		count, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		allowed[place{fields[0], fields[1]}] = count
	}
	return allowed, nil
}

func byPlace(found []finding) map[place][]finding {
	places := map[place][]finding{}
	for _, f := range found {
		at := place{f.rule, f.path}
		places[at] = append(places[at], f)
	}
	return places
}

// mostShown findings of a file are listed; it may have many old ones.
const mostShown = 20

// beyond lists the places that have more findings than allowed, along with their findings, sorted by path and line:
// only the new ones if isNew reports any, or otherwise all.
func beyond(allowed map[place]int, found []finding, isNew func(finding) bool) []string {
	var lines []string
	places := byPlace(found)
	for _, at := range slices.SortedFunc(maps.Keys(places), comparePlaces) {
		of := places[at]
		if len(of) <= allowed[at] {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %d, where %d were", at.path, at.rule, len(of), allowed[at]))
		if slices.ContainsFunc(of, isNew) {
			of = slices.DeleteFunc(of, func(f finding) bool { return !isNew(f) })
		}
		slices.SortFunc(of, func(a, b finding) int { return a.line - b.line })
		for _, f := range of[:min(len(of), mostShown)] {
			lines = append(lines, fmt.Sprintf("  %s:%d: %s", f.path, f.line, f.text))
		}
		if len(of) > mostShown {
			lines = append(lines, fmt.Sprintf("  and %d more", len(of)-mostShown))
		}
	}
	return lines
}

func comparePlaces(a, b place) int {
	if c := strings.Compare(a.path, b.path); c != 0 {
		return c
	}
	return strings.Compare(a.rule, b.rule)
}

// valeRules is the prefix of the rules in .ci/style.
const valeRules = "Awhost."

const baselineHead = `# How often older lines break a rule of style: RULE PATH COUNT. go run ./internal/style fails where there are more, and
# with -lower takes down what was mended.
`

// lowered returns the baseline with the counts that have decreased. Prose rules keep their counts if the prose was not
// checked.
func lowered(allowed map[place]int, found []finding, withProse bool) []byte {
	now := byPlace(found)
	var out strings.Builder
	out.WriteString(baselineHead)
	for _, at := range slices.SortedFunc(maps.Keys(allowed), comparePlaces) {
		count := allowed[at]
		if withProse || !strings.HasPrefix(at.rule, valeRules) {
			count = min(count, len(now[at]))
		}
		if count > 0 {
			fmt.Fprintf(&out, "%s %s %d\n", at.rule, at.path, count)
		}
	}
	return []byte(out.String())
}
