package framework

import "github.com/agext/levenshtein"

// Nearest returns the candidate that differs least from what was written, or an empty string if all differ a lot.
func Nearest(given string, candidates []string) string {
	best, distance := "", 1+max(2, len(given)/4)
	for _, candidate := range candidates {
		if d := levenshtein.Distance(given, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
