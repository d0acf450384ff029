package testlevel

import (
	"slices"
	"testing"
)

func TestSample_LeavesNothingOutWithSlow(t *testing.T) {
	for level, want := range map[string][]int{"": {1, 4, 7}, "1": {1, 2, 3, 4, 5, 6, 7, 8}, "all": {1, 2, 3, 4, 5, 6, 7, 8}} {
		t.Setenv(variable, level)
		if got := Sample(3, 1, 2, 3, 4, 5, 6, 7, 8); !slices.Equal(got, want) {
			t.Errorf("%s=%s plays %d, want %d", variable, level, got, want)
		}
	}
}
