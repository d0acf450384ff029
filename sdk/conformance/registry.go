package conformance

import "strings"

// group is whose checks these are: of the process, or of the components of a kind.
type group struct {
	prefix string
	checks []Check
}

// groups are all checks, in the order in which they are played.
func groups() []group {
	return []group{processGroup(), componentGroup(), environmentGroup(), rewardGroup(), adapterGroup(), agentGroup()}
}

// Checks are all checks of the registry, in the order in which they are played.
func Checks() []Check {
	var all []Check
	for _, g := range groups() {
		all = append(all, g.checks...)
	}
	return all
}

// wanted says whether a check is among those that were asked for.
func wanted(id string, only []string) bool {
	for _, o := range only {
		if id == o || strings.HasPrefix(id, o+"-") {
			return true
		}
	}
	return len(only) == 0
}
