package testlevel

import (
	"slices"
	"testing"
)

func TestSample_LeavesNothingOutWithSlow(t *testing.T) {
	all := []int{1, 2, 3, 4, 5, 6, 7, 8}
	for level, want := range map[string][]int{"": {1, 4, 7}, "1": all, "all": all} {
		t.Setenv(variable, level)
		if got := Sample(3, all...); !slices.Equal(got, want) {
			t.Errorf("%s=%s plays %d, want %d", variable, level, got, want)
		}
	}
}
