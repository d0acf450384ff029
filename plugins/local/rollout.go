package local

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// rollouts runs all samples of the stage's k-th step and builds the batch.
func (t *trainer) rollouts(ctx context.Context, number, k int) (*batch, error) {
	requests := t.trainRequests(number, k)
	samples := make([]sample, len(requests))
	err := t.run(ctx, "rollout", number, requests, func(slot int, ep *episode, result *sdk.EpisodeResult) error {
		rows, lost, err := ep.rows(result)
		samples[slot] = sample{group: requests[slot].GroupID, result: result, rows: rows, lost: lost}
		return err
	})
	if err != nil {
		return nil, err
	}
	return newBatch(samples, t.settings.hyper), nil
}

func (t *trainer) trainRequests(number, k int) []sdk.EpisodeRequest {
	var requests []sdk.EpisodeRequest
	for g := range t.settings.prompts {
		for i := range t.settings.groupSize {
			requests = append(requests, sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/t%06d/g%04d/s%03d", t.request.LaunchID, number, g, i), GroupID: fmt.Sprintf("g%04d", g),
				GroupSize: t.settings.groupSize, GroupIndex: &g, SampleIndex: i, DatasetIndex: (k-1)*t.settings.prompts + g,
				Stage: t.request.Stage, Split: sdk.SplitTrain, Step: number,
			})
		}
	}
	return requests
}

// validation runs every validation task. The host aggregates the results.
func (t *trainer) validation(ctx context.Context) error {
	return t.run(ctx, "validation", t.lastStep, t.validationRequests(),
		func(int, *episode, *sdk.EpisodeResult) error { return nil })
}

func (t *trainer) validationRequests() []sdk.EpisodeRequest {
	var requests []sdk.EpisodeRequest
	for task := range t.request.ValidationTasks {
		for i := range t.settings.validate.samples {
			requests = append(requests, sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/v%06d/g%05d/s%03d", t.request.LaunchID, t.lastStep, task, i),
				GroupID:   fmt.Sprintf("v%05d", task),
				GroupSize: t.settings.validate.samples, SampleIndex: i, DatasetIndex: task,
				Stage: t.request.Stage, Split: sdk.SplitValidation, Step: t.lastStep,
			})
		}
	}
	return requests
}

// run requests episodes concurrently, all with the currently published weights. It calls keep with the trainer's state
// of an episode before dropping it. Calls for different slots run concurrently.
func (t *trainer) run(ctx context.Context, phase string, step int, requests []sdk.EpisodeRequest,
	keep func(int, *episode, *sdk.EpisodeResult) error) error {
	report := newProgress(len(requests), func(done int) error { return t.phase(phase, step, done, len(requests)) })
	snapshot := t.policy.Snapshot()
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(t.window())
	for slot, req := range requests {
		if running.Err() != nil {
			break
		}
		group.Go(func() error {
			if err := t.runEpisode(running, req, snapshot,
				func(ep *episode, r *sdk.EpisodeResult) error { return keep(slot, ep, r) }); err != nil {
				return err
			}
			return report.add()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err() // without an error, all requests were started
}

// window limits the number of requests in flight. Twice the host's concurrency is enough to keep the host busy.
// Requests start in the order of their groups. If there is room for a whole group, the first unfinished group always
// receives its last sample, even if a reward withholds the other samples until then.
func (t *trainer) window() int {
	return max(2*t.settings.concurrency, t.settings.groupSize, t.settings.validate.samples)
}

func (t *trainer) runEpisode(ctx context.Context, req sdk.EpisodeRequest, snapshot *tinylm.Snapshot,
	keep func(*episode, *sdk.EpisodeResult) error) error {
	req.PolicyVersion = snapshot.Version
	ep := t.episodes.open(req.EpisodeID, t.policy, snapshot)
	defer t.episodes.close(req.EpisodeID)
	result, err := t.host.RunEpisode(ctx, req)
	if err != nil {
		return err
	}
	return keep(ep, result)
}
