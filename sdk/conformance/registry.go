package conformance

import "strings"

// group holds the checks for the process, or for the components of one kind.
type group struct {
	prefix string
	checks []Check
}

// groups returns all checks in execution order.
func groups() []group {
	return []group{processGroup(), componentGroup(), environmentGroup(), rewardGroup(), adapterGroup(), agentGroup()}
}

// Checks returns all checks in the registry, in execution order.
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
