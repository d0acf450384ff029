package main

import (
	"testing"

	"github.com/awhost/awhost/sdk/process"
)

func TestRoleOf_SaysWhoseProcessItIs(t *testing.T) {
	for variable, want := range map[string]string{
		process.EnvInstance + "=adapter.local.grpo":          "adapter",
		process.EnvInstance + "=environment.calculator.desk": "environment",
		process.EnvInstance + "=reward.gaia.answer":          "reward",
		"HOME=/root": "guard",
	} {
		if got := roleOf(10, []string{"PATH=/bin", variable}, nil); got != want {
			t.Errorf("%s is %q, want %q", variable, got, want)
		}
	}
}
