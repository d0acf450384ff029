package main

import (
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/runstore/runstoretest"
	"github.com/awhost/awhost/sdk/metric"
)

// A run in progress has no final metrics: the newest checkpoint has the ones that count.
func TestListedRun_ReadsTheNewestCheckpoint(t *testing.T) {
	store := runstore.In(t.TempDir(), runstore.Options{Version: "0.1.0"})
	writer, err := runstoretest.Begin(t.Context(), store, runstoretest.Shape{Groups: 1, Samples: 2, Uncommitted: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Writer.Close(t.Context()) }()
	reward := func() (float64, bool) {
		runs, err := store.List()
		if err != nil || len(runs) != 1 || runs[0].Problem != "" {
			t.Fatalf("%+v, %v", runs, err)
		}
		value, ok := listedRun(store, runs[0], false).Values[metric.Reward]
		return value, ok
	}
	if value, ok := reward(); ok {
		t.Errorf("before the first step: reward %v", value)
	}
	for range 3 {
		if err := writer.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if value, _ := reward(); value != 0.02 {
		t.Errorf("reward %v, want the one of step 2, which is committed", value)
	}
}
