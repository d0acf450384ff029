package mathreward

import (
	"context"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: one reward of type "math".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "math",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "math",
				Description: "1 if the answer equals the ground truth, otherwise 0.",
				Schema:      configSchema(),
				Validate: answertext.Reproduces("mode", string(exact),
					map[string]string{"answer_form": string(answertext.Boxed), "symbolic": symbolicNone}),
				Components: []string{
					"extracted", "readable", "exact", "numeric", "list", "calculated", "other_unit", "symbolic",
				},
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize: batchSize, Needs: []sdk.Need{sdk.NeedGroundTruth}, TruthTypes: []string{"string", "number"},
			},
			New: newReward,
		}},
	}
}

// batchSize limits the items of a call: sympy may use 10 s of CPU time for each, and the host's timeout is 5 min.
const batchSize = 16

func configSchema() schema.Block {
	return schema.Block{
		Description: "The last `\\boxed{}` in the final answer counts, or the last answer in another form.",
		Attributes: []schema.Attribute{
			schema.String("mode", "`numeric` compares values: fractions, units, thousands, percent, LaTeX, sets, "+
				"and intervals. `exact` compares the first box byte by byte, as AgentJet does.").
				Default(string(numeric)).Enum(string(numeric), string(exact)),
			answertext.FormAttribute(),
			schema.String("symbolic", "What compares formulas that `numeric` cannot compare: `none`, or `sympy`, in a "+
				"Python with `latex2sympy2_extended`.").
				Default(symbolicNone).Enum(symbolicNone, symbolicSympy),
			schema.Path("python", "Python, or virtual environment, for `symbolic`. Default: your shell's Python.").Exist(),
		},
	}
}

// config is the body of a reward "math" block.
type config struct {
	Mode     mode            `json:"mode"`
	Form     answertext.Form `json:"answer_form"`
	Symbolic string          `json:"symbolic"`
	Python   string          `json:"python"`
}

// The values of symbolic.
const (
	symbolicNone  = "none"
	symbolicSympy = "sympy"
)

// reward scores items one by one. The result for an item does not depend on earlier ones.
type reward struct {
	mode  mode
	form  answertext.Form
	sympy *sympy // nil without it
}

func newReward(ctx context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := config{Mode: numeric}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	r := &reward{mode: c.Mode, form: c.Form}
	var err error
	if c.Symbolic == symbolicSympy {
		r.sympy, err = newSympy(ctx, c.Python, setup.Log)
	}
	return r, err
}

// Stop ends the Python.
func (r *reward) Stop(context.Context, func(string)) error {
	if r.sympy != nil {
		r.sympy.close()
	}
	return nil
}

// Score implements sdk.Reward.
func (r *reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return sdk.ScoreEach(ctx, req, r.scoreItem)
}

func (r *reward) scoreItem(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
	return answertext.Score(item.Task, func(truth any) (sdk.Scored, error) {
		verdict, err := judge(r.mode, r.form, item.FinalAnswer, truth)
		if err == nil && r.sympy != nil {
			err = r.sympy.decide(ctx, &verdict)
		}
		return verdict.scored(), err
	})
}

// scored converts the verdict to numbers. An episode is a success if its score is 1.
func (v verdict) scored() sdk.Scored {
	success := v.Correct
	notes := map[string]string{"compared": v.Compared}
	if v.Extracted {
		notes["answer"] = v.Answer
	}
	return sdk.Scored{
		Notes:     notes,
		Score:     sdk.Flag(v.Correct),
		IsSuccess: &success,
		Components: map[string]float64{
			"extracted": sdk.Flag(v.Extracted), "readable": sdk.Flag(v.Readable), "exact": sdk.Flag(v.Exact),
			"numeric": sdk.Flag(v.numeric), "list": sdk.Flag(v.list), "calculated": sdk.Flag(v.calculated),
			"other_unit": sdk.Flag(v.otherUnit), "symbolic": sdk.Flag(v.Symbolic),
		},
	}
}

var _ sdk.Stopper = (*reward)(nil)
