package verl

import (
	"context"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
)

// groups does for a trainer that takes one row per sample, verl before 0.9, what later ones do themselves: it numbers the
// samples of a group, and finds the number that changes no mean. Where verl demands a row for a sample without a reward, that
// row gets the mean of its group, which is known when all siblings are over. Both are on disk, for a later life of the adapter.
type groups struct {
	dir    folder
	keeper *outliving.Keeper // of its files

	mu   sync.Mutex
	byID map[string]*group
}

// group is what is known of the samples of a group.
type group struct {
	step    int            // of the last sample that was asked for
	slots   map[string]int // by episode
	rewards map[string]*float64
	over    chan struct{} // closed when all are over
}

// numbered is a sample and its number, on disk.
type numbered struct {
	Group string `json:"group"`
	ID    string `json:"id"`
	Slot  int    `json:"slot"`
	Step  int    `json:"step"`
}

func (f folder) slots() string { return f.path("slots.jsonl") }

func newGroups(dir folder, keeper *outliving.Keeper) *groups {
	return &groups{dir: dir, keeper: keeper, byID: map[string]*group{}}
}

// recall takes over what an earlier life noted.
func (g *groups) recall(over []finished) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	slots, err := outliving.Lines[numbered](g.dir.slots())
	if err != nil {
		return err
	}
	for _, n := range slots {
		known := g.find(n.Group)
		known.slots[n.ID], known.step = n.Slot, max(known.step, n.Step)
	}
	for _, f := range over {
		known := g.find(f.Group)
		known.step, known.rewards[f.ID] = max(known.step, f.Step), f.Reward
	}
	return nil
}

// find is the group of an id. The caller holds mu.
func (g *groups) find(id string) *group {
	known := g.byID[id]
	if known == nil {
		known = &group{slots: map[string]int{}, rewards: map[string]*float64{}, over: make(chan struct{})}
		g.byID[id] = known
	}
	return known
}

// slot numbers a sample within its group, by arrival. One that is asked for again keeps its number.
func (g *groups) slot(req sdk.EpisodeRequest) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.find(req.GroupID)
	if known.step < req.Step {
		known.step = req.Step
		g.forget(req.Step)
	}
	if n, ok := known.slots[req.EpisodeID]; ok {
		return n, nil
	}
	n := len(known.slots)
	if err := g.keeper.Append(g.dir.slots(), numbered{Group: req.GroupID, ID: req.EpisodeID, Slot: n, Step: req.Step}); err != nil {
		return 0, err
	}
	known.slots[req.EpisodeID] = n
	return n, nil
}

// forget drops the groups of steps that are over. Those of the step before may be validations of it. The caller holds mu.
func (g *groups) forget(step int) {
	for id, known := range g.byID {
		if known.step < step-1 {
			delete(g.byID, id)
		}
	}
}

// neutralMetric carries the number to the worker.
const neutralMetric = "awhost/neutral_reward"

// settle notes the end of a sample. One without a reward waits for its siblings.
func (g *groups) settle(ctx context.Context, size int, f finished, result *sdk.EpisodeResult) (*sdk.EpisodeResult, error) {
	known := g.ended(size, f)
	if result.Reward != nil {
		return result, nil
	}
	select {
	case <-known.over:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	out := *result
	out.Metrics = map[string]float64{neutralMetric: g.mean(known)}
	for name, value := range result.Metrics {
		out.Metrics[name] = value
	}
	return &out, nil
}

func (g *groups) ended(size int, f finished) *group {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.find(f.Group)
	known.rewards[f.ID] = f.Reward
	if len(known.rewards) >= size {
		select {
		case <-known.over: // a sample that was asked for again
		default:
			close(known.over)
		}
	}
	return known
}

// mean is 0 for a group without any reward: all its rows are equal then, and nothing is learned from it.
func (g *groups) mean(known *group) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	sum, n := 0.0, 0
	for _, r := range known.rewards {
		if r != nil {
			sum, n = sum+*r, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
