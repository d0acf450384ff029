package settings

import (
	"strings"

	"github.com/hashicorp/go-version"
)

// pythonFits holds a version of Python against the Requires-Python of a distribution (PEP 440, of which such lines use
// comparisons only). What cannot be read fits: pip has looked at it already.
func pythonFits(have, want string) bool {
	if have == "" || want == "" {
		return true
	}
	v, err := version.NewVersion(have)
	if err != nil {
		return true
	}
	if strings.Count(have, ".") == 1 { // "3.11" stands for its newest patch
		v = version.Must(version.NewVersion(have + ".999"))
	}
	constraints, err := version.NewConstraint(want)
	return err != nil || constraints.Check(v.Core())
}
