package settings

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk/framework"
)

func schemaOf(t *testing.T, r release) *framework.Schema {
	t.Helper()
	s, err := syntheticTree(t, r).schema(defaultEngine)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchema_TellsKeysApart(t *testing.T) {
	s := schemaOf(t, v091)
	type answer struct {
		kind   framework.Kind
		strict bool
	}
	got := map[string]answer{}
	want := map[string]answer{
		"trainer.nnodes":                                              {kind: framework.Known},
		"actor_rollout_ref.rollout.val_kwargs":                        {kind: framework.Section, strict: true},
		"actor_rollout_ref.rollout.repetition_penalty":                {kind: framework.Field},
		"actor_rollout_ref.rollout.limit_images":                      {kind: framework.Field},
		"actor_rollout_ref.rollout.agent.agent_loop_manager_class":    {kind: framework.Field},
		"actor_rollout_ref.rollout.custom.anything.at.all":            {kind: framework.Free},
		"actor_rollout_ref.actor.optim.override_optimizer_config.eps": {kind: framework.Free},
		"actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space":     {kind: framework.Free},
		"actor_rollout_ref.model.override_config.x.y":                 {kind: framework.Free},
		"ray_kwargs.ray_init.runtime_env.env_vars.A":                  {kind: framework.Free},
		"reward.custom_reward_function.reward_kwargs.k":               {kind: framework.Free},
		"actor_rollout_ref.rollout.local":                             {strict: true},
		"actor_rollout_ref.rollout.no_such":                           {strict: true},
		"actor_rollout_ref.rollout.max_model_len.x":                   {strict: true},
		"actor_rollout_ref.rollout.repetition_penalty.x":              {strict: true},
		"trainer.nnodes.x":                                            {strict: true},
		"trainer.no_such":                                             {},
		"no_such":                                                     {},
	}
	for key := range want {
		at := s.At(key)
		got[key] = answer{at.Kind, at.Strict}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSchema_KnowsTypes(t *testing.T) {
	r := &resolver{schema: schemaOf(t, v091)}
	for key, want := range map[string]framework.Types{
		"actor_rollout_ref.actor.entropy_coeff":        framework.Real | framework.Whole, // the class says so, the default is 0
		"actor_rollout_ref.rollout.top_p":              framework.Real | framework.Whole,
		"actor_rollout_ref.rollout.max_model_len":      framework.Whole | framework.Null,
		"actor_rollout_ref.rollout.limit_images":       framework.Whole | framework.Null,
		"actor_rollout_ref.actor.optim.betas":          framework.List,
		"trainer.total_training_steps":                 framework.Anything,
		"trainer.nnodes":                               framework.Whole | framework.Null,
		"trainer.logger":                               framework.Text | framework.List,
		"actor_rollout_ref.model.use_remove_padding":   framework.Boolean,
		"actor_rollout_ref.rollout.engine_kwargs.vllm": framework.Mapping | framework.Null,
		"trainer.default_local_dir":                    framework.Anything, // of an interpolation
		"actor_rollout_ref.rollout.custom":             framework.Mapping | framework.Null,
		"mine.own":                                     framework.Anything,
	} {
		if got := r.typeAt(key); got != want {
			t.Errorf("%s takes %s (%b), want %s (%b)", key, got, got, want, want)
		}
	}
}

func TestMoves_LeadToKeysThatAreThere(t *testing.T) {
	for r, installed := range realTrees(t) {
		if r.Before(v091) {
			continue
		}
		s, err := installed.schema(defaultEngine)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			if m.to == "" || r.Before(m.since) {
				continue
			}
			to := m.to
			if to[len(to)-1] == '*' {
				to = to[:len(to)-2]
			}
			next := func() bool { // a later move may lead on
				_, ok := movedFrom(to, r, s)
				return ok
			}
			if at := s.At(to); at.Kind == framework.Unknown && !next() && !movesOn(to) {
				t.Errorf("%s is said to be %s now, which verl %s does not have", m.from, m.to, installed.Version)
			}
		}
	}
}

// movesOn says that a key has moved again since.
func movesOn(key string) bool {
	for _, m := range moves {
		if _, ok := m.target(key); ok {
			return true
		}
		if _, ok := m.target(key + ".x"); ok {
			return true
		}
	}
	return false
}
