package sdk

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Reward scores finished episodes.
type Reward interface {
	// Score scores items and returns one Scored per item, in order. An item that cannot be scored receives a Failure;
	// an error fails the whole call. Numbers that are not finite become failures; the SDK checks this on both sides.
	Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error)
}

// ScoreRequest holds the episodes to score: one episode, a batch, or the survivors in a group.
type ScoreRequest struct {
	Items []ScoreItem
	// Missing counts the siblings that a group_relative reward does not receive because they failed.
	Missing int
}

// ScoreItem is a single finished episode.
type ScoreItem struct {
	EpisodeID    string
	ChainDigests []string        // digests of the sampled chains: the score is bound to them
	Task         Task            // Private only with NeedGroundTruth
	Messages     []Message       // the transcript
	FinalAnswer  string          // the policy's last message, or the raw text of an offline item
	State        json.RawMessage // Environment.Snapshot, with NeedEnvironmentState
	Metadata     json.RawMessage // the agent's metadata, an object
	TurnRewards  []float64       // the environment's, in order of the turns that had one
	// Sampled lists the positions of the policy's messages in Messages, in ascending order; it is nil if they are
	// unknown. Written and Response use these positions.
	Sampled []int
}

// ScoreResponse holds one Scored per item, in order.
type ScoreResponse struct {
	Items   []Scored
	Metrics map[string]float64 // about the call, such as the cost of a judge
}

// Scored is a number or a failure, never both.
type Scored struct {
	Score      float64
	Components map[string]float64 // by the names that the component declares
	IsSuccess  *bool              // nil: unknown
	// Notes contains text for people, such as the extracted answer or a judge's reason. Notes are recorded but do not
	// affect anything, and must not contain parts of Task.Private. Notes beyond MaxNotes are dropped, as are the bytes
	// of a note beyond MaxNoteBytes.
	Notes   map[string]string
	Failure *Failure
}

// The bounds of Scored.Notes.
const (
	MaxNotes     = 32
	MaxNoteBytes = 2000
)

// boundNotes keeps the first notes, ordered by name, and truncates each to the maximum length.
func boundNotes(notes map[string]string) map[string]string {
	if len(notes) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(notes))
	out := make(map[string]string, len(names))
	for _, name := range names[:min(len(names), MaxNotes)] {
		note := validUTF8(notes[name])
		if len(note) > MaxNoteBytes {
			note = strings.ToValidUTF8(note[:MaxNoteBytes-len("…")], "") + "…"
		}
		out[validUTF8(name)] = note
	}
	return out
}

// RewardCapabilities describes a reward's requirements and limits.
type RewardCapabilities struct {
	BatchSize     int    // most items per call; 0 means one at a time
	GroupRelative bool   // needs all samples of a group in one call
	ModelJudge    bool   // calls a model, so that scores cost money and vary
	Needs         []Need //
	TruthOptional bool   // with NeedGroundTruth: it also scores tasks without one; otherwise a plan refuses them
	// TruthTypes lists the JSON types of a ground truth that it accepts: "string", "number", "boolean", "object", or
	// "list". Unless "list" is one of them, the elements of a list are accepted answers. A plan refuses other types.
	// Empty: any type.
	TruthTypes []string
}
