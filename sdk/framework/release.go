package framework

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Release is a version of a framework: 0.8.0.dev counts as 0.8.0, whose keys it has.
type Release [3]int

var releaseForm = regexp.MustCompile(`^\s*v?(\d+)\.(\d+)(?:\.(\d+))?`)

// ParseRelease reads a version.
func ParseRelease(text string) (Release, error) {
	m := releaseForm.FindStringSubmatch(text)
	if m == nil {
		return Release{}, fmt.Errorf("%q is not a version", text)
	}
	var out Release
	for i := range out {
		out[i], _ = strconv.Atoi(m[i+1]) // the third number is optional
	}
	return out, nil
}

// String implements fmt.Stringer.
func (r Release) String() string { return fmt.Sprintf("%d.%d.%d", r[0], r[1], r[2]) }

// AtLeast reports whether the release is another one or newer.
func (r Release) AtLeast(other Release) bool { return slices.Compare(r[:], other[:]) >= 0 }

// Before reports whether the release is older than another one.
func (r Release) Before(other Release) bool { return !r.AtLeast(other) }
