package settings

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk/framework"
)

func schemaOf(t *testing.T, r release) *schema {
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
		kind   kind
		strict bool
	}
	got := map[string]answer{}
	want := map[string]answer{
		"trainer.nnodes":                                              {kind: known},
		"actor_rollout_ref.rollout.val_kwargs":                        {kind: section},
		"actor_rollout_ref.rollout.repetition_penalty":                {kind: field},
		"actor_rollout_ref.rollout.limit_images":                      {kind: field},
		"actor_rollout_ref.rollout.agent.agent_loop_manager_class":    {kind: field},
		"actor_rollout_ref.rollout.custom.anything.at.all":            {kind: free},
		"actor_rollout_ref.actor.optim.override_optimizer_config.eps": {kind: free},
		"actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space":     {kind: free},
		"actor_rollout_ref.model.override_config.x.y":                 {kind: free},
		"ray_kwargs.ray_init.runtime_env.env_vars.A":                  {kind: free},
		"reward.custom_reward_function.reward_kwargs.k":               {kind: free},
		"actor_rollout_ref.rollout.local":                             {strict: true}, // a variable of a method
		"actor_rollout_ref.rollout.no_such":                           {strict: true},
		"actor_rollout_ref.rollout.max_model_len.x":                   {strict: true},
		"actor_rollout_ref.rollout.repetition_penalty.x":              {strict: true},
		"trainer.nnodes.x":                                            {strict: true},
		"trainer.no_such":                                             {},
		"no_such":                                                     {},
	}
	for key := range want {
		at := s.at(key)
		got[key] = answer{at.kind, at.strict}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSchema_KnowsTypes(t *testing.T) {
	s := schemaOf(t, v091)
	for key, want := range map[string]types{
		"actor_rollout_ref.actor.entropy_coeff":        real | whole, // the class says so, the default is 0
		"actor_rollout_ref.rollout.top_p":              real | whole,
		"actor_rollout_ref.rollout.max_model_len":      whole | null,
		"actor_rollout_ref.rollout.limit_images":       whole | null,
		"actor_rollout_ref.actor.optim.betas":          list,
		"trainer.total_training_steps":                 anything,
		"trainer.nnodes":                               whole | null,
		"trainer.logger":                               text | list,
		"actor_rollout_ref.model.use_remove_padding":   boolean,
		"actor_rollout_ref.rollout.engine_kwargs.vllm": mapping | null,
		"trainer.default_local_dir":                    anything, // of an interpolation
		"actor_rollout_ref.rollout.custom":             mapping | null,
		"mine.own":                                     anything,
	} {
		if got := s.typeAt(key); got != want {
			t.Errorf("%s takes %s (%b), want %s (%b)", key, got, got, want, want)
		}
	}
}

func TestTypeOf_ReadsAnnotations(t *testing.T) {
	for annotation, want := range map[string]types{
		"int": whole, "float": real | whole, "str": text, "bool": boolean, "Optional[str]": text | null, "int | None": whole | null, "Optional[list[int]]": list | null,
		"list[str]": list, "tuple[float, float]": list, "dict[str, Any]": mapping, "Optional[dict]": mapping | null, "Any": anything, "SamplingConfig": anything, "Union[str, float]": text | real | whole, "": anything,
	} {
		if got := typeOf(annotation); got != want {
			t.Errorf("%q is %s (%b), want %s (%b)", annotation, got, got, want, want)
		}
	}
}

func TestView_FollowsInterpolations(t *testing.T) {
	top, err := framework.ReadTree([]byte(`
a: {b: 7, same: "${.b}", far: "${a.b}", up: {x: "${..b}"}}
data: {size: 512}
select: "${oc.select:data.size,1}"
absent: "${oc.select:data.no,2}"
list: "${oc.select:data.no,[]}"
none: "${oc.select:data.no, null}"
chain: "${select}"
circle: "${circle}"
env: "${oc.env:HOME}"
part: "x/${a.b}"
must: ???
onto: "${must}"
`))
	if err != nil {
		t.Fatal(err)
	}
	v := view{set: map[string]*setting{}, schema: &schema{top: top, classes: &classes{files: map[string]map[string]*dataclass{}}}}
	for key, want := range map[string]any{
		"a.same": int64(7), "a.far": int64(7), "a.up.x": int64(7), "select": int64(512), "absent": int64(2), "list": []any{}, "none": nil, "chain": int64(512),
	} {
		if got, ok := v.get(key); !ok || !framework.Equal(got, want) {
			t.Errorf("%s is %v (%v), want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"circle", "env", "part", "must", "onto", "no.such"} {
		if got, ok := v.get(key); ok {
			t.Errorf("%s is %v, and nobody can know that", key, got)
		}
	}
	v.set["data.size"] = &setting{key: "data.size", value: int64(9)}
	if got, _ := v.get("chain"); !framework.Equal(got, int64(9)) {
		t.Errorf("chain is %v after a change", got)
	}
}

func TestMoves_LeadToKeysThatAreThere(t *testing.T) {
	for r, installed := range realTrees(t) {
		if r.before(v091) {
			continue
		}
		s, err := installed.schema(defaultEngine)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			if m.to == "" || r.before(m.since) {
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
			if at := s.at(to); at.kind == unknown && !next() && !movesOn(to) {
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
