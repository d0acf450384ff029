package sdk

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// A message over its caller's limit must fail that call, with the size, the limit and the remedy. An episode with a
// result that is too large fails; the adapter continues.
func TestHostServer_LimitsMessagesPerCaller(t *testing.T) {
	const limit = 1000
	long := strings.Repeat("x", limit)
	conn := serveHost(t, HostServer{
		MaxMessageBytes: func(context.Context) int { return limit },
		Host: localHost{
			episode: func(_ context.Context, req EpisodeRequest) (*EpisodeResult, error) {
				reward := 1.0
				result := &EpisodeResult{EpisodeID: req.EpisodeID, Attempt: 1, Outcome: OutcomeScored, Reward: &reward}
				if req.EpisodeID == "long" {
					result.Metrics = map[string]float64{long: 1}
				}
				return result, nil
			},
			tasks: []Task{{ID: "short"}, {ID: long}},
		},
	}.Register)
	host := RemoteHost(conn)
	for id, want := range map[string]Outcome{"short": OutcomeScored, "long": OutcomeFailed} {
		got, err := host.RunEpisode(t.Context(), EpisodeRequest{EpisodeID: id, GroupID: "g"})
		if err != nil || got.EpisodeID != id || got.Outcome != want {
			t.Fatalf("%s: %+v, %v", id, got, err)
		}
		if want == OutcomeFailed {
			wantAll(t, got.Failure.Detail, "1000", "max_message_bytes")
		}
	}
	_, err := awhostv1.NewHostServiceClient(conn).Log(t.Context(), &awhostv1.LogRequest{Message: long})
	wantRefused(t, err, "the request has", "1000", "max_message_bytes")
	seen := 0
	err = host.Tasks(t.Context(), TasksRequest{Split: SplitTrain}, func(Task) bool { seen++; return true })
	wantRefused(t, err, "the host's response has", "1000", "max_message_bytes")
	if seen != 1 {
		t.Errorf("got %d tasks, want the one before the long one", seen)
	}
}

func wantRefused(t *testing.T, err error, words ...string) {
	t.Helper()
	if status.Code(err) != codes.ResourceExhausted {
		t.Fatalf("got %v, want RESOURCE_EXHAUSTED", err)
	}
	wantAll(t, err.Error(), words...)
}

func wantAll(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is not in %q", word, text)
		}
	}
}
