package pythonplugin

import (
	"context"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// batchSize is the maximum number of items in one call by the host. All of them must be scored within the host's limit
// for one call, five minutes.
const batchSize = 64

// Metrics that a reward reports if they are not zero.
const (
	metricTimeouts = "python_timeouts" // calls that exceeded their limit
	metricDeaths   = "python_deaths"   // processes that ended while scoring
)

func rewardComponent(typ, description string, needs ...sdk.Need) sdk.RewardComponent {
	known := valueNames()
	if !slices.Contains(needs, sdk.NeedEnvironmentState) {
		known = slices.DeleteFunc(known, func(name string) bool { return name == "environment_state" })
	}
	return sdk.RewardComponent{
		Component: sdk.Component{
			Type: typ, Description: description, Schema: rewardSchema(),
			ComponentsAttribute: "components",
			Metrics:             []string{metricTimeouts, metricDeaths},
			Validate:            validator(known),
		},
		Capabilities: sdk.RewardCapabilities{BatchSize: batchSize, Needs: needs, TruthOptional: true},
		New: func(ctx context.Context, setup sdk.Setup) (sdk.Reward, error) {
			return newReward(ctx, setup, known)
		},
	}
}

// reward passes items to the processes that score them.
type reward struct {
	pool  *workerPool
	wants []string // names of values
}

func newReward(ctx context.Context, setup sdk.Setup, known []string) (sdk.Reward, error) {
	c, problems := readReward(setup.Config)
	if len(problems) > 0 {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	program, problem := c.find()
	if problem != nil {
		return nil, &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{*problem}}
	}
	file, problem := c.read()
	if problem != nil {
		return nil, &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{*problem}}
	}
	loader, err := newLoader(c, program, file, known, setup.Log)
	if err != nil {
		return nil, err
	}
	first, function, err := loader.load(ctx)
	if err != nil {
		return nil, loader.problem(err)
	}
	setup.Log.Info("loaded "+c.Name+" of "+file.path, "python", first.Executable, "version", first.Version, "taken",
		program.why, "gets", function.Wants)
	return &reward{pool: newWorkerPool(loader, c, first, function), wants: function.Wants}, nil
}

// Score scores every item individually.
func (r *reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	jobs := make([]*job, len(req.Items))
	for i, item := range req.Items {
		jobs[i] = newJob(arguments(item, r.wants))
	}
	if !r.pool.put(jobs) {
		return nil, fmt.Errorf("%w: the reward has been stopped", sdk.ErrUnavailable)
	}
	out := &sdk.ScoreResponse{Items: make([]sdk.Scored, len(jobs))}
	for i, j := range jobs {
		select {
		case result := <-j.done:
			out.Items[i] = result.scored
			result.count(out)
		case <-ctx.Done():
			for _, left := range jobs[i:] {
				left.abandoned.Store(true)
			}
			return nil, context.Cause(ctx)
		}
	}
	return out, nil
}

// Stop ends the processes. Work in progress is lost.
func (r *reward) Stop(context.Context, func(string)) error {
	r.pool.close()
	return nil
}

var (
	_ sdk.Reward  = (*reward)(nil)
	_ sdk.Stopper = (*reward)(nil)
)
