package scan

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Judge scans conversations with a reward whose components are problems, such as llm_judge with a criterion for each.
type Judge struct {
	Threshold float64
	problems  func(component string) bool
}

// NewJudge returns a judge for a reward with this description. A problem is found if its component is at least the
// threshold. Of a reward whose configuration names components, only these are problems.
func NewJudge(d *sdk.ComponentDescription, threshold float64) Judge {
	return Judge{threshold, func(name string) bool {
		return d.ComponentsAttribute == "" || !slices.Contains(d.RewardComponents, name)
	}}
}

// Problem is a problem that a judge finds in a conversation.
type Problem struct {
	Name    string
	Message int // index in the conversation; the last one if the judge names none
	Reason  string
}

// callTimeout limits one call of a reward.
const callTimeout = 5 * time.Minute

// named matches the number of a message in a judge's reason.
var named = regexp.MustCompile(`(?i)\bmessage\s*#?(\d+)`)

// Scan returns the problems in a conversation. The failure means that it was not scanned.
func (j Judge) Scan(ctx context.Context, reward sdk.Reward, item sdk.ScoreItem) ([]Problem, *sdk.Failure) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := reward.Score(ctx, sdk.ScoreRequest{Items: []sdk.ScoreItem{item}})
	if err != nil {
		return nil, sdk.RewardFailure(err)
	}
	scored := response.Items[0]
	reason := ""
	if notes := slices.Sorted(maps.Keys(scored.Notes)); len(notes) > 0 {
		reason = scored.Notes[notes[0]]
	}
	message := max(0, len(item.Messages)-1)
	if found := named.FindStringSubmatch(reason); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil && n < len(item.Messages) {
			message = n
		}
	}
	components := scored.Components
	if len(components) == 0 && scored.Failure == nil {
		components = map[string]float64{"score": scored.Score}
	}
	var out []Problem
	for _, name := range slices.Sorted(maps.Keys(components)) {
		if j.problems(name) && components[name] >= j.Threshold {
			out = append(out, Problem{name, message, excerpt(reason, 0)})
		}
	}
	return out, scored.Failure
}

// Item returns the part of a conversation that a reward with some needs may see.
func (c Conversation) Item(id string, public []byte, answer string, needs []sdk.Need) sdk.ScoreItem {
	item := sdk.ScoreItem{EpisodeID: id, Task: sdk.Task{Public: public}, FinalAnswer: answer}
	if slices.Contains(needs, sdk.NeedGroundTruth) {
		item.Task.Private = c.Private
	}
	if slices.Contains(needs, sdk.NeedTranscript) {
		item.Messages, item.Sampled = sdk.BoundAttachments(c.Messages, sdk.MaxScoredAttachmentBytes), c.Sampled
	}
	return item
}
