package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/host/runstore"
)

// applyResult is the result of one `awhost apply`.
type applyResult struct {
	SuccessBefore float64 `json:"success_before"`
	SuccessAfter  float64 `json:"success_after"`
	Digest        string  `json:"digest"`
	// WallSeconds is the duration of the process. FirstEpisodeSeconds is the time from the start to the end of the
	// first episode, without the warm start.
	WallSeconds         float64 `json:"wall_seconds"`
	FirstEpisodeSeconds float64 `json:"first_episode_seconds"`
	Times               times   `json:"times"`
	Episodes            int     `json:"episodes"`
	Turns               int     `json:"turns"`
	Tokens              int     `json:"tokens"` // sampled
	// CPUSeconds is the exact total for all processes. Processes holds the last sample of each process before it ended.
	CPUSeconds float64        `json:"cpu_seconds"`
	PeakMemory int64          `json:"peak_memory_bytes"` // the largest sum at one moment
	Processes  []processUsage `json:"processes"`
	Durability durability     `json:"durability"`
}

// durability is the cost of durability in seconds of wall time, as reported by the host.
type durability struct {
	Journal float64 `json:"journal"` // writing records of episodes; several may be written concurrently
	Commits float64 `json:"commits"` // the trainer waiting for a boundary: records, checkpoint, fsyncs
}

func (d durability) sum() float64 { return d.Journal + d.Commits }

// times splits a run's wall time into phases, in seconds.
type times struct {
	WarmStart  float64 `json:"warm_start"`
	Rollout    float64 `json:"rollout"`
	Update     float64 `json:"update"`
	Validation float64 `json:"validation"`
}

func (t times) sum() float64 { return t.WarmStart + t.Rollout + t.Update + t.Validation }

func measureApply(ctx context.Context, o options, seed int, dir string) (*applyResult, error) {
	if err := stage(o.spec, dir); err != nil {
		return nil, err
	}
	seen := newStory()
	state, err := awhost.Apply(ctx, o.awhost, dir, seen, variableFlags(variables(o, seed))...)
	wall := time.Since(seen.began)
	var usage treeUsage
	if seen.watched != nil {
		usage = seen.watched.stop()
	}
	if err != nil {
		return nil, err
	}
	out := &applyResult{
		SuccessBefore: seen.before, SuccessAfter: seen.after, Digest: seen.digest, Times: seen.times,
		WallSeconds:         wall.Seconds(),
		FirstEpisodeSeconds: seen.firstEpisode.Sub(seen.began).Seconds() - seen.times.WarmStart,
		CPUSeconds:          (state.UserTime() + state.SystemTime()).Seconds(),
		PeakMemory:          usage.peak, Processes: usage.named(seen.instances), Durability: seen.durability,
	}
	return out, out.count(ctx, dir)
}

// count adds the journal's episode counts.
func (r *applyResult) count(ctx context.Context, dir string) error {
	run, err := runstore.In(dir, runstore.Options{}).Open("")
	if err != nil {
		return fmt.Errorf("open the run in %s: %w", filepath.Base(dir), err)
	}
	for episode, err := range run.Episodes(ctx) {
		if err != nil {
			return err
		}
		r.Episodes++
		r.Turns += episode.NumTurns
		r.Tokens += episode.OutputTokens
	}
	return nil
}
