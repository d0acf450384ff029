package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/internal/envworld"
)

const worldKey = "world"

// world starts an environment service, and stores its address in WORLD: world start. Then: world tasks SPLIT ID...
// changes its list; world released fails while an instance is open; world uncalled create fails if a call of that
// name arrived; world end.
func world(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: world start | tasks split id... | released | uncalled name | end")
	}
	running := ts.Value(worldKey).(**envworld.World)
	switch args[0] {
	case "start":
		*running = envworld.Start()
		ts.Defer((*running).Close)
		ts.Setenv("WORLD", (*running).URL)
	case "tasks":
		ids := []any{}
		for _, id := range args[2:] {
			ids = append(ids, id)
		}
		(*running).SetTasks(args[1], ids...)
	case "released":
		if open := (*running).Open(); len(open) > 0 || len((*running).Calls("create")) == 0 {
			created := len((*running).Calls("create"))
			ts.Fatalf("%d instances were created, and these are open: %s", created, strings.Join(open, ", "))
		}
	case "uncalled":
		if calls := (*running).Calls(args[1]); len(calls) > 0 {
			ts.Fatalf("%s was called %d times", args[1], len(calls))
		}
	case "end":
		(*running).Close()
	default:
		ts.Fatalf("world %s is nothing", args[0])
	}
}
