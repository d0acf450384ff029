//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/host/runstore"
)

// linkIn matches a link printed by `awhost ui` and by other commands with a page.
var linkIn = regexp.MustCompile(`(http://127\.0\.0\.1:[0-9]+)/#token=([-_A-Za-z0-9]+)`)

// browse sends a request of the page to a viewer, and writes the answer to a file. With ! the viewer must refuse it.
func browse(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, len(args) == 3, "[!] browse LINKS PATH FILE")
	link := linkIn.FindStringSubmatch(ts.ReadFile(args[0]))
	if link == nil {
		ts.Fatalf("%s has no link with a token", args[0])
	}
	base, token := link[1], link[2]
	request, err := http.NewRequest(http.MethodGet, base+args[1], nil)
	ts.Check(err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	ts.Check(err)
	http.DefaultClient.CloseIdleConnections()
	if (response.StatusCode == http.StatusOK) == neg {
		ts.Fatalf("%s: %s: %s", args[1], response.Status, text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), text, 0o600))
}

// sameEpisodes compares the episodes in a viewer's answer with the output of show: ids, rewards and answers.
func sameEpisodes(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "sameepisodes ANSWER SHOWN")
	type seen struct {
		reward, success string
		turns           float64
	}
	told := map[string]seen{}
	var answer struct {
		Total    int
		Episodes []struct {
			ID              string
			Reward, Success json.RawMessage
			Turns           float64
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &answer))
	for _, e := range answer.Episodes {
		told[e.ID] = seen{string(e.Reward), string(e.Success), e.Turns}
	}
	shown := lines(ts.ReadFile(args[1]))
	if len(shown) == 0 || len(shown) != len(told) || answer.Total != len(told) {
		ts.Fatalf("%d episodes of %d in the viewer, %d shown", len(told), answer.Total, len(shown))
	}
	for _, line := range shown {
		var e struct {
			ID      string          `json:"episode_id"`
			Reward  json.RawMessage `json:"reward"`
			Success json.RawMessage `json:"is_success"`
			Turns   float64         `json:"num_turns"`
		}
		ts.Check(json.Unmarshal([]byte(line), &e))
		if is := (seen{string(e.Reward), string(e.Success), e.Turns}); told[e.ID] != is {
			ts.Fatalf("episode %s: the viewer says %+v, show %+v", e.ID, told[e.ID], is)
		}
	}
}

// playedAs compares an episode in a viewer's answer with the output of debug.
func playedAs(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "playedas ANSWER SHOWN N")
	var answer struct {
		Episode     struct{ Task, Outcome, Answer, Reward, Success, Turns any }
		Transcripts []struct{ Messages any }
		Reward      struct{ Parts any }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &answer))
	var ends []string
	for _, line := range lines(ts.ReadFile(args[1])) {
		if strings.Contains(line, `"type":"debug_end"`) {
			ends = append(ends, line)
		}
	}
	var end struct{ Task, Outcome, Answer, Reward, Success, Turns, Messages, Components any }
	ts.Check(json.Unmarshal([]byte(ends[number(ts, args[2])-1]), &end))
	if len(answer.Transcripts) != 1 {
		ts.Fatalf("%d transcripts in the viewer", len(answer.Transcripts))
	}
	e := answer.Episode
	said := []any{
		e.Task, e.Outcome, e.Answer, e.Reward, e.Success, e.Turns, answer.Transcripts[0].Messages, answer.Reward.Parts,
	}
	shown := []any{end.Task, end.Outcome, end.Answer, end.Reward, end.Success, end.Turns, end.Messages, end.Components}
	for i := range shown {
		if said[i] == nil || !reflect.DeepEqual(said[i], shown[i]) {
			ts.Fatalf("the viewer says %v, debug %v", said[i], shown[i])
		}
	}
}

// spansAddUp compares the spans of episodes with their timings, which are measured in milliseconds, and their turns.
func spansAddUp(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "spansaddup SHOWN")
	for _, line := range lines(ts.ReadFile(args[0])) {
		var e runstore.EpisodeRecord
		ts.Check(json.Unmarshal([]byte(line), &e))
		var sums [6]float64
		var before time.Duration
		named := map[string]bool{}
		for _, s := range e.Spans.Unpack() {
			sums[s.Part] += s.Took.Seconds() * 1000
			if s.At < before {
				ts.Fatalf("episode %s: a span begins before the one before it: %s", e.EpisodeID, line)
			}
			before = s.At
			named[fmt.Sprintf("%s %d %s", runstore.TimeParts()[s.Part], s.Turn, s.Name)] = true
		}
		for i, want := range e.Timings.Millis() {
			if part := runstore.TimeParts()[i]; part != "host" && math.Abs(sums[i]-want) > 0.001*float64(len(named)) {
				ts.Fatalf("episode %s: the spans of %s come to %v ms of %v", e.EpisodeID, part, sums[i], want)
			}
		}
		for turn := range e.NumTurns {
			if !named[fmt.Sprintf("model %d ", turn+1)] {
				ts.Fatalf("episode %s: nothing is told of turn %d: %s", e.EpisodeID, turn+1, line)
			}
		}
		if !named["queue 0 "] || !named["tool 0 Open"] || !named["tool 0 Close"] || !named["reward 0 gaia.answer"] {
			ts.Fatalf("episode %s: something is missing: %s", e.EpisodeID, line)
		}
	}
}
