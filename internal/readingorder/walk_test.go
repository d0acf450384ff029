package main

import (
	"slices"
	"strings"
	"testing"
)

// mostReturns bounds how often a reader who follows one episode returns to a file of host/rollout: from the
// environment to the attempt, from the policy for failures to its consequences, from the rewards to the score, and at
// the end to the engine, which publishes the result.
const mostReturns = 4

// TestTheRoadOfAnEpisode checks that six files describe an episode in order, with helper files that the reader looks
// up.
func TestTheRoadOfAnEpisode(t *testing.T) {
	steps, err := walk("../..", "./host/rollout", "Engine.RunEpisode")
	if err != nil {
		t.Fatal(err)
	}
	if n := returns(steps); n > mostReturns {
		var back []string
		for _, s := range steps {
			if s.returns {
				back = append(back, s.file+" for "+s.function)
			}
		}
		t.Errorf("the reading order of an episode returns %d times to a file that it has left, at most %d are allowed:\n%s\n"+
			"move the function to the file from which it is first reached, or into a room below host/rollout; "+
			"`go run ./internal/readingorder ./host/rollout Engine.RunEpisode` shows the order",
			n, mostReturns, strings.Join(back, "\n"))
	}
	var told []string
	for _, s := range steps {
		six := []string{"engine.go", "episode.go", "attempt.go", "score.go", "result.go", "record.go"}
		if slices.Contains(six, s.file) && !slices.Contains(told, s.file) {
			told = append(told, s.file)
		}
	}
	if got := strings.Join(told, " "); got != "engine.go episode.go attempt.go score.go result.go record.go" {
		t.Errorf("the reading order is %s", got)
	}
}

// TestTheRoadOfACall checks that a plugin call is made in its proxy's file. The instance only selects the process and
// interprets the error.
func TestTheRoadOfACall(t *testing.T) {
	steps, err := walk("../..", "./host/plugin", "environment.Step")
	if err != nil {
		t.Fatal(err)
	}
	calls := slices.IndexFunc(steps, func(s step) bool { return s.function == "use" })
	if calls < 0 || steps[calls].file != "proxy.go" {
		t.Errorf("use, which makes the calls of all proxies, is not next to them in host/plugin/proxy.go")
	}
	if n := returns(steps); n > 1 { // to the instance, which interprets the error of the call
		t.Errorf("the reading order of a call returns %d times to a file that it has left, at most 1 is allowed", n)
	}
}

func TestWalk(t *testing.T) {
	steps, err := walk("testdata/module", "./p", "Shop.Serve")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range steps {
		line := strings.Repeat(" ", s.depth) + s.file + " " + s.function
		if s.returns {
			line += " again"
		}
		got = append(got, line)
	}
	want := []string{
		"a.go Shop.Serve",
		" b.go list.add", // method of a generic type
		" a.go Shop.greet again",
		" b.go later again", // a reference in a function literal
		" a.go alone again", // without the interface's method or Shop.greet again
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := returns(steps); n != 3 {
		t.Errorf("%d returns, want 3", n)
	}
}

func TestWalk_NamesWhatIsMissing(t *testing.T) {
	if _, err := walk("testdata/module", "./p", "Shop.Close"); err == nil || !strings.Contains(err.Error(), "Shop.Close") {
		t.Errorf("got %v", err)
	}
}
