package tinylm

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestTrainingIsIndependentOfCores trains the same steps on 1, 2 and 4 cores: the weights must be bit-identical.
func TestTrainingIsIndependentOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	digests := map[string][]int{}
	for _, cores := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(cores)
		p := newTestPolicy(t, smallConfig(), 1)
		trainSome(t, p, 0, 4)
		digests[p.Digest()] = append(digests[p.Digest()], cores)
	}
	if len(digests) != 1 {
		t.Errorf("digests by number of cores: %v", digests)
	}
}

// TestSamplerIsTheTrainersEqual compares the logprobs recorded at sampling with the trainer's logprobs: over many
// lengths, in packed batches, on a model with several micro-batches.
func TestSamplerIsTheTrainersEqual(t *testing.T) {
	p := newTestPolicy(t, Tiny(), 3)
	r := rand.New(rand.NewPCG(2, 2))
	var rows []Row
	for i := range 24 {
		prompt := randomRows(r, p.cfg.Vocab, 2+r.IntN(60))[0].IDs
		out, err := p.Generate(context.Background(), GenRequest{
			PromptIDs: prompt, Seed: uint64(i), Sampling: Sampling{Temperature: 1, MaxTokens: 1 + r.IntN(100), Stop: []int32{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		row := Row{IDs: append(prompt, out.IDs...), Trained: make([]bool, len(prompt)+len(out.IDs))}
		row.Logprobs = append(make([]float32, len(prompt)), out.Logprobs...)
		for i := len(prompt); i < len(row.IDs); i++ {
			row.Trained[i] = true
		}
		rows = append(rows, row)
	}
	trainer, err := p.Logprobs(rows)
	if err != nil {
		t.Fatal(err)
	}
	largest, compared := 0.0, 0
	for i, row := range rows {
		for j := range row.IDs {
			largest = max(largest, float64(row.Logprobs[j]-trainer[i][j]), float64(trainer[i][j]-row.Logprobs[j]))
			compared++
		}
	}
	t.Logf("%d tokens compared, largest difference %v", compared, largest)
	if largest > 1e-5 { // 0 on amd64; elsewhere compilers may fuse operations
		t.Errorf("sampler and trainer differ by %v", largest)
	}
}

// TestPrefixCacheChangesNothing replays growing conversations, siblings and repetitions in random order on one
// policy, and each request on one without idle sessions. Ids and logprobs must be bit-identical.
func TestPrefixCacheChangesNothing(t *testing.T) {
	c := smallConfig()
	c.MaxLen = 150 // sessions grow during the test
	cached, fresh := newTestPolicy(t, c, 5), newTestPolicy(t, c, 5)
	cached.cache.limit = 20 * newSession(c).bytes()
	r := rand.New(rand.NewPCG(8, 8))
	conversations := make([][]int32, 12)
	for i := range conversations {
		conversations[i] = []int32{3, int32(4 + i%3), 5, 6, int32(i % 2)}
	}
	for request := range 800 {
		if request%200 == 199 { // new weights invalidate the whole cache
			rows := copyRows(rand.New(rand.NewPCG(uint64(request), 4)), 8)
			for _, p := range []*Policy{cached, fresh} {
				if _, err := p.SFTStep(rows, 1e-2); err != nil {
					t.Fatal(err)
				}
				p.Publish()
			}
		}
		i := r.IntN(len(conversations))
		if len(conversations[i]) > c.MaxLen-8 {
			conversations[i] = conversations[i][:5]
		}
		ask := GenRequest{PromptIDs: conversations[i], Seed: uint64(r.IntN(5)),
			Sampling: Sampling{Temperature: 1, MaxTokens: 4}}
		fresh.cache = newPrefixCache(c, 0)
		want, err := fresh.Generate(context.Background(), ask)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cached.Generate(context.Background(), ask)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Logprobs, want.Logprobs) {
			t.Fatalf("request %d: got %v %v, want %v %v", request, got.IDs, got.Logprobs, want.IDs, want.Logprobs)
		}
		conversations[i] = slices.Concat(conversations[i], got.IDs, []int32{7, 2})
	}
	held := 0
	for _, s := range cached.cache.idle {
		held += s.bytes()
	}
	if held > cached.cache.limit || held != cached.cache.bytes || held < cached.cache.limit/2 {
		t.Errorf("idle sessions take %d bytes, %d by the cache's count, the limit is %d", held, cached.cache.bytes,
			cached.cache.limit)
	}
	t.Logf("%d tokens of prompts reused, %d computed", cached.cache.reused, cached.cache.computed)
	if cached.cache.reused < cached.cache.computed {
		t.Errorf("%d tokens of prompts reused, %d computed: the cache is of little use", cached.cache.reused,
			cached.cache.computed)
	}
}

// TestIdleSessionsHoldNoWeights checks that old snapshots can be freed.
func TestIdleSessionsHoldNoWeights(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	if _, err := p.Generate(context.Background(), GenRequest{PromptIDs: []int32{3, 4}}); err != nil {
		t.Fatal(err)
	}
	if len(p.cache.idle) != 1 || p.cache.idle[0].model != nil {
		t.Errorf("%d idle sessions, the first refers to weights", len(p.cache.idle))
	}
}

// TestPinnedSnapshot samples from one snapshot while training continues and publishes others: the answers must not
// change.
func TestPinnedSnapshot(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 6)
	pinned := p.Snapshot()
	ask := func(seed uint64) GenResponse {
		out, err := p.Generate(context.Background(), GenRequest{
			Snapshot: pinned, PromptIDs: []int32{3, 4, 5}, Seed: seed, Sampling: Sampling{Temperature: 1, MaxTokens: 20},
		})
		if err != nil {
			t.Error(err)
		}
		return out
	}
	var before [20]GenResponse
	for i := range before {
		before[i] = ask(uint64(i))
	}
	var training sync.WaitGroup
	training.Go(func() { trainSome(t, p, 0, 3) })
	for round := range 5 {
		for i := range before {
			after := ask(uint64(i))
			if !slices.Equal(after.IDs, before[i].IDs) || !slices.Equal(after.Logprobs, before[i].Logprobs) ||
				after.Version != 0 {
				t.Errorf("round %d, seed %d: %v of version %d, was %v", round, i, after.IDs, after.Version, before[i].IDs)
			}
		}
	}
	training.Wait()
	if v := p.Snapshot().Version; v != 5 {
		t.Errorf("the published version is %d, want 5", v)
	}
	if out, err := p.Generate(context.Background(), GenRequest{PromptIDs: []int32{3}}); err != nil || out.Version != 5 {
		t.Errorf("an answer of version %d, error %v, want version 5", out.Version, err)
	}
}
