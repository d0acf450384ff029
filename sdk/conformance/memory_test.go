package conformance

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// ofAMinute returns a suite with a limit of one minute for everything.
func ofAMinute(t *testing.T) *T {
	return &T{suite: &suite{config: Config{CallTimeout: time.Minute, Endurance: time.Minute}}, ctx: t.Context()}
}

func TestProbe_StopsWhereALeakIsPlain(t *testing.T) {
	const each = 4 << 20
	var played atomic.Int64
	b := &probe{
		t: ofAMinute(t), what: "episode", workers: 4,
		next: func(int) round {
			return round{0, func(context.Context) (string, int, error) {
				played.Add(1)
				return "the same", 8, nil
			}}
		},
		readUsage: func() (usage, error) { return usage{bytes: played.Load() * each}, nil },
	}
	out := b.run()
	if out.playError != nil || len(out.growth) != 1 || !strings.HasPrefix(out.growth[0], "the memory grew by") {
		t.Fatalf("%+v", out)
	}
	if held := played.Load() * each; held > 3*(leakCeiling+2*ceilingRounds*each) {
		t.Errorf("the process grew to %d MiB", held>>20)
	}
}

func TestProbe_StopsAtFirstDifference(t *testing.T) {
	var played atomic.Int64
	b := &probe{
		t: ofAMinute(t), what: "item", workers: 4,
		next: func(n int) round {
			return round{n % 2, func(context.Context) (string, int, error) {
				if played.Add(1) > 1000 {
					return "another", 8, nil
				}
				return []string{"even", "odd"}[n%2], 8, nil
			}}
		},
		readUsage: func() (usage, error) { return usage{}, errNoUsage },
	}
	out := b.run()
	if out.playError != nil || len(out.changedAnswers) == 0 ||
		!strings.Contains(out.changedAnswers[0], "\nanother\nbefore\n") {
		t.Fatalf("%+v", out)
	}
	if n := played.Load(); n > 1000+2*4 {
		t.Errorf("%d were played", n)
	}
}

func TestMaxConcurrent_LimitsMemory(t *testing.T) {
	for _, test := range []struct{ most, size, want int }{{16, 0, 16}, {16, 1 << 10, 16}, {16, 8 << 20, 8},
		{16, 256 << 20, 1}} {
		if got := maxConcurrent(test.most, test.size); got != test.want {
			t.Errorf("responses with %d bytes: %d of %d are in progress at once; want %d", test.size, got, test.most, test.want)
		}
	}
}

func TestEpisode_KeepsLongTextsByTheirDigests(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	transcript := func(text string) string {
		out := &awhostv1.StepResponse{Messages: []*awhostv1.Message{user(text)}}
		e := &episode{opened: &awhostv1.OpenResponse{}}
		e.shortenTexts(out, out.GetMessages())
		if e.largest < len(text) {
			t.Errorf("a response of %d bytes counts as %d", len(text), e.largest)
		}
		return e.transcript([]*awhostv1.StepResponse{out})
	}
	first, again, other := transcript(long), transcript(long), transcript(long[1:]+"y")
	if len(first) > 2*maxComparedText || first != again || first == other {
		t.Errorf("transcripts of %d bytes; equal texts equal: %t, others: %t", len(first), first == again, first == other)
	}
}
