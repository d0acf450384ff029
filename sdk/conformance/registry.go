package conformance

import "strings"

// group holds the checks of the process, or of the components of a kind.
type group struct {
	prefix string
	checks []Check
}

// groups returns all checks, in playing order.
func groups() []group {
	return []group{processGroup(), componentGroup(), environmentGroup(), rewardGroup(), adapterGroup(), agentGroup()}
}

// Checks returns all checks of the registry, in playing order.
func Checks() []Check {
	var all []Check
	for _, g := range groups() {
		all = append(all, g.checks...)
	}
	return all
}

// isSelected reports whether a check is selected.
func isSelected(id string, only []string) bool {
	for _, o := range only {
		if id == o || strings.HasPrefix(id, o+"-") {
			return true
		}
	}
	return len(only) == 0
}
