package conformance

import (
	"path/filepath"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// question returns a request to a loaded policy.
func (t *T) question(episode string) *awhostv1.GenerateRequest {
	return &awhostv1.GenerateRequest{
		EpisodeId: episode, Attempt: 1, CallId: episode + "/0", Messages: []*awhostv1.Message{user("conformance")},
		Sampling: &awhostv1.Sampling{MaxTokens: 8}, Seed: 1, Trainable: true,
	}
}

func checkLoad(t *T) {
	adapter := adapterOf(t.fresh())
	loaded, err := adapter.Load(t.trainContext(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	if loaded.GetPolicy() == "" {
		t.errorf("the response of Load does not name the policy")
	}
	_, err = adapter.Generate(t.call(), t.question("conformance/loaded"))
	t.need(err, "Generate after Load")
	for _, what := range []string{"conformance/loaded", "conformance/loaded", "conformance/never"} {
		if _, err := adapter.Release(t.call(), &awhostv1.ReleaseRequest{EpisodeId: what}); err != nil {
			t.errorf("Release of %s: %v", what, err)
		}
	}
}

func checkLoadWrong(t *T) {
	adapter := adapterOf(t.fresh())
	_, err := adapter.Load(t.trainContext(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	_, err = adapter.Load(t.trainContext(), &awhostv1.LoadRequest{Checkpoint: filepath.Join(t.ownDir(),
		"no-such-checkpoint")})
	t.refused(err, "Load of a missing checkpoint", codes.Unknown)
	if err != nil && strings.TrimSpace(status.Convert(err).Message()) == "" {
		t.errorf("loading a missing checkpoint returns an empty error text")
	}
	if _, err := adapter.Generate(t.call(), t.question("conformance/kept")); err != nil {
		t.errorf("after a failed Load, the previously loaded policy is gone: %v", err)
	}
}

func checkLoadThenTrain(t *T) {
	p := t.fresh()
	_, err := adapterOf(p).Load(t.trainContext(), &awhostv1.LoadRequest{Seed: 1, PolicyJson: t.policy()})
	t.need(err, "Load of the policy that training would start from")
	t.refused(t.stage(p).train(t.call()), "Train after Load", codes.FailedPrecondition)
}
