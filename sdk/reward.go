package sdk

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Reward judges finished episodes.
type Reward interface {
	// Score judges items and answers one Scored per item, in order. An item that cannot be judged gets a Failure;
	// an error fails the whole call. Numbers that are not finite become failures: the SDK checks both sides.
	Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error)
}

// ScoreRequest holds the episodes to judge: one, a batch, or the survivors of a group.
type ScoreRequest struct {
	Items []ScoreItem
	// Missing counts the siblings that a group_relative reward does not get because they failed.
	Missing int
}

// ScoreItem is one finished episode.
type ScoreItem struct {
	EpisodeID    string
	ChainDigests []string        // what exactly was sampled: the score is bound to it
	Task         Task            // Private only with NeedGroundTruth
	Messages     []Message       // the transcript
	FinalAnswer  string          // the policy's last message, or the raw text of an offline item
	State        json.RawMessage // Environment.Snapshot, with NeedEnvironmentState
	Metadata     json.RawMessage // what the agent left, an object
	TurnRewards  []float64       // the environment's, in order of the turns that had one
	// Sampled are the places in Messages of what the policy wrote, ascending; nil where nobody knows. Written and
	// Response read them.
	Sampled []int
}

// ScoreResponse answers one Scored per item, in order.
type ScoreResponse struct {
	Items   []Scored
	Metrics map[string]float64 // about the call, such as what a judge cost
}

// Scored is a number or a failure, never both.
type Scored struct {
	Score      float64
	Components map[string]float64 // by the names that the component declares
	IsSuccess  *bool              // nil: the reward does not know
	// Notes are in words, for people: which answer was found, why a judge said so. They stay on record, decide nothing,
	// and hold nothing of Task.Private. Those beyond MostNotes, and the bytes of one beyond MostNoteBytes, are cut off.
	Notes   map[string]string
	Failure *Failure
}

// The bounds of Scored.Notes.
const (
	MostNotes     = 32
	MostNoteBytes = 2000
)

// boundNotes keeps the first by name, each as long as it may be.
func boundNotes(notes map[string]string) map[string]string {
	if len(notes) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(notes))
	out := make(map[string]string, len(names))
	for _, name := range names[:min(len(names), MostNotes)] {
		note := validUTF8(notes[name])
		if len(note) > MostNoteBytes {
			note = strings.ToValidUTF8(note[:MostNoteBytes-len("…")], "") + "…"
		}
		out[validUTF8(name)] = note
	}
	return out
}

// RewardCapabilities is what the host may expect of a reward.
type RewardCapabilities struct {
	BatchSize     int    // most items per call; 0 means one at a time
	GroupRelative bool   // wants all samples of a group in one call
	ModelJudge    bool   // asks a model, so that scores cost money and vary
	Needs         []Need //
	TruthOptional bool   // with NeedGroundTruth: it also judges tasks that have none; otherwise a plan refuses them
}
