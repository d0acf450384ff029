package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// Framework is a training framework supported by adapters.
type Framework struct {
	Name    string   // display name
	Package string   // name of its package
	Support []Range  // the first range that contains a version applies; none: untested
	Engines []string // alternative packages for sampling on GPUs
}

// Range is a range of versions. A prerelease counts as the corresponding release.
type Range struct {
	From, Below string // From is included, Below is excluded; empty: unbounded
	Tier        Tier
	Why         string // the peculiarity of these versions
	Remedy      string
}

// Tier is the level of support for a version.
type Tier string

// The tiers.
const (
	FirstClass Tier = "first_class" // tested with every change
	BestEffort Tier = "best_effort" // expected to work
	Untested   Tier = "untested"
	Refused    Tier = "refused" // the adapter refuses to start with it
)

// words maps tiers to their descriptions.
var words = map[Tier]string{
	FirstClass: "supported, first class", BestEffort: "supported, best effort", Untested: "untested", Refused: "refused",
}

// rate returns the level of support for an installed version.
func (f Framework) rate(version string) Range {
	v, err := parseRelease(version)
	if err != nil {
		return Range{Tier: Untested, Why: err.Error()}
	}
	for _, r := range f.Support {
		if !r.holds(v) {
			continue
		}
		if v.early && r.Tier == FirstClass {
			return Range{Tier: Untested, Why: "it is a pre-release", Remedy: r.Remedy}
		}
		return r
	}
	return Range{Tier: Untested}
}

func (r Range) holds(v version) bool {
	if r.From != "" {
		if from, err := parseRelease(r.From); err != nil || v.compare(from) < 0 {
			return false
		}
	}
	if r.Below != "" {
		if below, err := parseRelease(r.Below); err != nil || v.compare(below) >= 0 {
			return false
		}
	}
	return true
}

// version is the part of a Python package version (PEP 440) that ranges compare.
type version struct {
	epoch   int
	release []int
	early   bool // a, b, rc or dev: a pre-release
}

// parseRelease parses "0.9.1", "2.8.0+cu128", "0.10.0.dev0", "1.0rc1", "0.5.0.post2".
func parseRelease(text string) (version, error) {
	var v version
	rest := strings.ToLower(strings.TrimSpace(text))
	rest = strings.TrimPrefix(rest, "v")
	rest, _, _ = strings.Cut(rest, "+") // drops the local version
	if epoch, after, ok := strings.Cut(rest, "!"); ok {
		n, err := strconv.Atoi(epoch)
		if err != nil {
			return v, fmt.Errorf("%q is not a version", text)
		}
		v.epoch, rest = n, after
	}
	for {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil {
			return v, fmt.Errorf("%q is not a version", text)
		}
		v.release, rest = append(v.release, n), rest[digits:]
		if len(rest) < 2 || rest[0] != '.' || rest[1] < '0' || rest[1] > '9' {
			break
		}
		rest = rest[1:]
	}
	for _, mark := range []string{"a", "b", "c", "rc", "alpha", "beta", "pre", "preview"} {
		v.early = v.early || strings.HasPrefix(strings.TrimLeft(rest, ".-_"), mark)
	}
	v.early = v.early || strings.Contains(rest, "dev")
	return v, nil
}

// compare returns a negative number if v is the older version.
func (v version) compare(other version) int {
	if v.epoch != other.epoch {
		return v.epoch - other.epoch
	}
	for i := range max(len(v.release), len(other.release)) {
		if d := part(v.release, i) - part(other.release, i); d != 0 {
			return d
		}
	}
	return 0
}

// part returns one number of a release, or 0 beyond its end: 1.0 and 1.0.0 are equal.
func part(release []int, i int) int {
	if i < len(release) {
		return release[i]
	}
	return 0
}
