package tinylm

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

// conversation returns a row like an episode of the quick start: 68 tokens, of which 40 are trained.
func conversation(r *rand.Rand, c Config) Row {
	row := randomRows(r, c.Vocab, 68)[0]
	for i := range row.Trained {
		row.Trained[i] = i >= 8 && i < 40 || i >= 60
	}
	return row
}

// BenchmarkTrain measures behavior cloning on batches of 16 conversations: forward, backward, AdamW.
func BenchmarkTrain(b *testing.B) {
	p, err := New(Tiny(), 1, Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]Row, 16)
	for i := range rows {
		rows[i] = conversation(r, p.cfg)
	}
	tokens := 0
	for b.Loop() {
		if _, err := p.SFTStep(rows, 1e-4); err != nil {
			b.Fatal(err)
		}
		tokens += 16 * 67
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tok/s")
}

// BenchmarkSample measures answers of 32 tokens to new prompts of 8 tokens, with one stream per core.
func BenchmarkSample(b *testing.B) {
	p, err := New(Tiny(), 1, Options{})
	if err != nil {
		b.Fatal(err)
	}
	streams := runtime.GOMAXPROCS(0)
	seed := uint64(0)
	tokens := 0
	for b.Loop() {
		var running sync.WaitGroup
		for range streams {
			seed++
			own := seed
			running.Go(func() {
				r := rand.New(rand.NewPCG(own, 2))
				request := GenRequest{PromptIDs: randomRows(r, 192, 8)[0].IDs, Seed: own,
					Sampling: Sampling{Temperature: 1, MaxTokens: 32, Stop: []int32{}}}
				if _, err := p.Generate(context.Background(), request); err != nil {
					panic(err)
				}
			})
		}
		running.Wait()
		tokens += streams * 32
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tok/s")
}
