package stranger

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/realtest"
)

// checkGroup compares rows with the samples of one group: a higher reward must have a higher advantage.
func checkGroup(t *testing.T, dir string, told []runstore.TokensRecord) {
	t.Helper()
	type episode struct {
		ID     string   `json:"episode_id"`
		Group  string   `json:"group_id"`
		Reward *float64 `json:"reward"`
	}
	episodes, groups := map[string]episode{}, map[string]bool{}
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e episode
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		episodes[e.ID] = e
	}
	differ := false
	for _, row := range told {
		e := episodes[row.EpisodeID]
		groups[e.Group] = true
		if e.Reward == nil {
			t.Fatalf("episode %s has no reward", row.EpisodeID)
		}
		for _, other := range told {
			if o := episodes[other.EpisodeID]; o.Reward != nil && *o.Reward < *e.Reward {
				differ = true
				if !(advantage(row) > advantage(other)) {
					t.Errorf("rewards %g and %g have advantages %v and %v", *e.Reward, *o.Reward, row.Advantages, other.Advantages)
				}
			}
		}
	}
	if len(told) != 8 || len(groups) != 1 || !differ {
		t.Errorf("%d rows from groups %v were reported (rewards differ: %t); want the 8 rows of one "+
			"group", len(told), groups, differ)
	}
}

// advantage returns the advantage of a row's first trained token.
func advantage(row runstore.TokensRecord) float32 {
	return row.Advantages[slices.Index(row.Trained, true)]
}
