package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Release is a version of AReaL.
type Release struct {
	Text                string // "1.0.4"
	major, minor, patch int
}

var releaseText = regexp.MustCompile(`^v?(\d+)\.(\d+)(?:\.(\d+))?`)

// parseRelease reads a version.
func parseRelease(text string) (Release, error) {
	m := releaseText.FindStringSubmatch(text)
	if m == nil {
		return Release{}, fmt.Errorf("%q is no version of AReaL", text)
	}
	major, _ := strconv.Atoi(m[1]) // digits, and few
	minor, _ := strconv.Atoi(m[2])
	patch, _ := strconv.Atoi(m[3])
	return Release{Text: text, major: major, minor: minor, patch: patch}, nil
}

// AtLeast compares with major.minor, and with a patch where one is given.
func (r Release) AtLeast(major, minor int, patch ...int) bool {
	wanted := append([]int{major, minor}, patch...)
	return slices.Compare([]int{r.major, r.minor, r.patch}[:len(wanted)], wanted) >= 0
}

// String implements fmt.Stringer.
func (r Release) String() string { return r.Text }
