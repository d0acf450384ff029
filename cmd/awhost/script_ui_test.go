//go:build linux

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// browse asks a viewer as its page does, and writes the answer to a file. With ! the viewer has to refuse it.
func browse(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, len(args) == 3, "[!] browse LINKS PATH FILE")
	var link string
	ts.Check(json.Unmarshal(lastOf(ts, args[0], "served")["url"], &link))
	base, token, ok := strings.Cut(link, "/#token=")
	if !ok {
		ts.Fatalf("the link %s has no token", link)
	}
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

// sameEpisodes holds the episodes of a viewer's answer to those that show has printed: ids, rewards and answers.
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
