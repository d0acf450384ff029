package catalog

import (
	"slices"
	"testing"
)

func TestBuildEnv_KeepsSecretsOfTheSpec(t *testing.T) {
	got := buildEnv([]string{"PATH=/bin", "AWHOST_VAR_token=hunter2", "GOPROXY=off", "AWHOST_VARIETY=1"})
	if want := []string{"PATH=/bin", "GOPROXY=off", "AWHOST_VARIETY=1"}; !slices.Equal(got, want) {
		t.Errorf("environment %q; want %q", got, want)
	}
}
