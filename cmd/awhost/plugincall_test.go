package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// The SDK's log line of a panic must be dropped, because the call's status has the same stack. Others must be kept.
func TestWithoutPanics_LeavesOtherErrors(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(withoutPanics{slog.NewTextHandler(&out, nil)}).With("plugin", "reward.a")
	log.Error("/awhost.v1.RewardService/Score panicked", "panic", "boom", "stack", "goroutine 1")
	log.Error("no license", "stack", "of papers")
	if got := out.String(); strings.Contains(got, "goroutine") ||
		!strings.Contains(got, `msg="no license" plugin=reward.a stack="of papers"`) {
		t.Errorf("got %s", got)
	}
}
