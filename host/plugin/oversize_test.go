package plugin_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// TestMessages_AboveTheLimit: a message that is too large is an error that says all, and is not sent.
func TestMessages_AboveTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a gigabyte of memory")
	}
	s := newStage(t, 0)
	i := s.start(block(sdk.KindEnvironment, "desk", settings{}))
	stepTooMuch(t, i)
	if _, err := i.Environment().Open(t.Context(), sdk.OpenRequest{EpisodeID: "2"}); err != nil {
		t.Errorf("it is not well: %v", err)
	}
}

func stepTooMuch(t *testing.T, i *plugin.Instance) {
	t.Helper()
	_, err := i.Environment().Step(t.Context(), sdk.StepRequest{EpisodeID: "2", Message: sdk.Message{Content: string(make([]byte, sdk.MaxMessageBytes))}})
	wantOversize(t, err, "Step")
}

// TestMessages_UpToTheLimit: the largest message arrives; one that is larger is an error that says all, in both directions,
// and the process lives on.
func TestMessages_UpToTheLimit(t *testing.T) {
	testlevel.NeedAll(t, "it takes half a minute and a gigabyte of memory")
	s := newStage(t, 0)
	i := s.start(block(sdk.KindEnvironment, "desk", settings{}))
	const around = 5 // field number and length of the one field
	snapshot := func(size int) (int, error) {
		if _, err := i.Environment().Open(t.Context(), sdk.OpenRequest{EpisodeID: strconv.Itoa(size)}); err != nil {
			return 0, err
		}
		state, err := i.Environment().(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), strconv.Itoa(size))
		return len(state), err
	}
	if got, err := snapshot(sdk.MaxMessageBytes - around); err != nil || got != sdk.MaxMessageBytes-around {
		t.Fatalf("the largest answer: %d bytes, %v", got, err)
	}
	_, err := snapshot(sdk.MaxMessageBytes - around + 1)
	wantOversize(t, err, "Snapshot")
	stepTooMuch(t, i)
	if _, err := snapshot(2); err != nil {
		t.Errorf("it is not well: %v", err)
	}
}

func wantOversize(t *testing.T, err error, rpc string) {
	t.Helper()
	var oversize *plugin.OversizeError
	if !errors.As(err, &oversize) {
		t.Fatalf("%s: got %v", rpc, err)
	}
	if oversize.Bytes <= sdk.MaxMessageBytes || oversize.RPC != rpc {
		t.Errorf("got %+v", oversize)
	}
	mentions(t, err, rpc, "environment.obedient.desk", "268435456", strconv.FormatInt(oversize.Bytes, 10))
}
