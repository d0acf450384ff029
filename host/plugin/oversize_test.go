package plugin_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// around is the size of a snapshot's response in addition to the snapshot: field number and length of its only field.
const around = 5

// snapshot requests a snapshot of size bytes.
func snapshot(t *testing.T, i *plugin.Instance, size int) (int, error) {
	t.Helper()
	if _, err := i.Environment().Open(t.Context(), sdk.OpenRequest{EpisodeID: strconv.Itoa(size)}); err != nil {
		return 0, err
	}
	state, err := i.Environment().(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), strconv.Itoa(size))
	return len(state), err
}

func stepTooMuch(t *testing.T, i *plugin.Instance, limit int) {
	t.Helper()
	_, err := i.Environment().Step(t.Context(), sdk.StepRequest{EpisodeID: "2",
		Message: sdk.Message{Content: string(make([]byte, limit))}})
	wantOversize(t, err, "Step", limit, sdk.OversizeRequest)
	mentions(t, err, "the request has")
}

// TestMessages_OfAPluginThatDeclaresNothing checks that up to 32 MiB are accepted in both directions. A larger
// message only fails its call, with an error that contains the sender, the size and a remedy.
func TestMessages_OfAPluginThatDeclaresNothing(t *testing.T) {
	s := newStage(t, 0)
	i := s.start(block(sdk.KindEnvironment, "desk", settings{}))
	atTheLimit(t, i, 32<<20)
}

// TestMessages_OfAPluginThatDeclaresMore checks the same with the declared size.
func TestMessages_OfAPluginThatDeclaresMore(t *testing.T) {
	testlevel.NeedAll(t, "it takes half a minute and a gigabyte of memory")
	s := newStage(t, 0)
	b := block(sdk.KindEnvironment, "desk", settings{})
	entry := *b.Entry
	entry.Env = map[string]string{playMessages: strconv.Itoa(256 << 20)}
	entry.Description.MaxMessageBytes = 256 << 20
	b.Entry = &entry
	atTheLimit(t, s.start(b), 256<<20)
}

func atTheLimit(t *testing.T, i *plugin.Instance, limit int) {
	t.Helper()
	if got, err := snapshot(t, i, limit-around); err != nil || got != limit-around {
		t.Fatalf("the largest answer: %d bytes, %v", got, err)
	}
	_, err := snapshot(t, i, limit-around+1)
	wantOversize(t, err, "Snapshot", limit, sdk.OversizeAnswer)
	mentions(t, err, "the response has")
	stepTooMuch(t, i, limit)
	if _, err := snapshot(t, i, 2); err != nil {
		t.Errorf("it is not well: %v", err)
	}
}

func wantOversize(t *testing.T, err error, rpc string, limit int, fault sdk.OversizeFault) {
	t.Helper()
	var oversize *sdk.OversizeError
	if !errors.As(err, &oversize) {
		t.Fatalf("%s: got %v", rpc, err)
	}
	if oversize.Bytes <= int64(limit) || oversize.RPC != rpc || oversize.Fault != fault {
		t.Errorf("got %+v", oversize)
	}
	mentions(t, err, rpc, "environment.obedient.desk", strconv.Itoa(limit), strconv.FormatInt(oversize.Bytes, 10),
		"max_message_bytes")
}
