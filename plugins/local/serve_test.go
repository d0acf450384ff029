package local

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// load loads a policy into the adapter.
func (r *rig) load(req sdk.LoadRequest) *sdk.LoadResponse {
	r.t.Helper()
	out, err := r.adapter.(sdk.AdapterWithLoad).Load(r.t.Context(), req)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// TestServe_AnswersAsTheTrainerDid checks that a loaded checkpoint samples the same tokens as the trainer with the
// same weights.
func TestServe_AnswersAsTheTrainerDid(t *testing.T) {
	trainer := warmRig(t)
	var mu sync.Mutex
	said := map[string]string{} // by episode: the digest of all its tokens
	trainer.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		c := converse(trainer.host, req)
		text, err := c.say(ctx, "a")
		mu.Lock()
		defer mu.Unlock()
		said[req.EpisodeID] = c.last.ChainDigest
		return scored(req, textReward(text), c.chain), err
	}
	trainer.train(trainer.request(knobsOf(3, nil)), sdk.FinishedCompleted)

	server := newRig(t, map[string]any{"context": 192}) // the checkpoint's own window is used
	loaded := server.load(sdk.LoadRequest{Checkpoint: trainer.checkpoint(2)})
	want := &sdk.LoadResponse{
		Policy: "local, 115520 weights", Step: 2, MaxContext: 64, PolicyVersion: loaded.PolicyVersion,
		Digest: trainer.checkpoints()[2].Digest,
	}
	if diff := cmp.Diff(want, loaded); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	requests := trainer.host.asked(sdk.SplitTrain, 3) // the weights after step 2 answered them
	if len(requests) == 0 {
		t.Fatal("step 3 asked for nothing")
	}
	for _, req := range requests {
		c := converse(server.host, req)
		if _, err := c.say(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if c.last.ChainDigest != said[req.EpisodeID] {
			t.Errorf("%s: the loaded policy said something else", req.EpisodeID)
		}
	}
}

func TestServe_ForgetsAReleasedEpisode(t *testing.T) {
	r := newRig(t, nil)
	r.load(sdk.LoadRequest{Seed: 3})
	c := converse(r.host, sdk.EpisodeRequest{EpisodeID: "e"})
	if _, err := c.say(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // unknown the second time
		if err := r.adapter.(sdk.AdapterWithLoad).Release(t.Context(), "e"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.inner.episodes.byID); n != 0 {
		t.Errorf("%d episodes are kept", n)
	}
	if _, err := c.say(t.Context(), "and?"); kindOf(err) != sdk.GenerateAborted {
		t.Errorf("a chain of a released episode continued: %v", err)
	}
}

func TestServe_ABasePolicyIsOfItsSeed(t *testing.T) {
	r := newRig(t, nil)
	one, again, other := r.load(sdk.LoadRequest{Seed: 1}), r.load(sdk.LoadRequest{Seed: 1}),
		r.load(sdk.LoadRequest{Seed: 2})
	if one.Digest != again.Digest || one.Digest == other.Digest {
		t.Errorf("seed 1 gives %s and %s, seed 2 %s", one.Digest, again.Digest, other.Digest)
	}
	if one.Step != 0 || one.Policy != "local, preset tiny, untrained" {
		t.Errorf("loaded %+v", one)
	}
}

func TestServe_RefusesWhatItCannotLoad(t *testing.T) {
	r := newRig(t, nil)
	for name, req := range map[string]sdk.LoadRequest{
		"no checkpoint":   {Checkpoint: t.TempDir()},
		"another's model": {Policy: []byte(`{"path":"Qwen/Qwen2.5-7B"}`)},
	} {
		if out, err := r.adapter.(sdk.AdapterWithLoad).Load(t.Context(), req); err == nil {
			t.Errorf("%s: loaded %+v", name, out)
		}
	}
}
