package quarantine

import (
	"context"
	"testing"

	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// processes is a plugin whose current process has a number.
type processes struct{ number, refunded int }

func (p *processes) Process(string) (int, bool)     { return p.number, true }
func (p *processes) HoldRestart(string) func()      { return func() {} }
func (p *processes) RefundRestarts(_ string, n int) { p.refunded += n }

// Each death of a process counts once for a task, even if several of its episodes die together, and even if the visit
// began before the death of the previous process was noticed.
func TestRecovered_CountsEachDeathOnce(t *testing.T) {
	const address = "environment.x.y"
	key := Key{Split: sdk.SplitTrain, Task: "task"}
	loss := Loss{Episode: "e", Call: &verdict.CallError{Address: address, Err: verdict.ErrPluginLost}}
	for name, c := range map[string]struct {
		visits []int // the numbers of the processes at the beginnings of visits
		ends   []int // the numbers when the visits end, after a new process has started
		trial  bool  // the next visit is a trial
	}{
		"one after the other":      {[]int{1, 2, 3}, []int{2, 3, 4}, true},
		"siblings":                 {[]int{1, 1, 2, 2}, []int{2, 2, 3, 3}, false},
		"two deaths":               {[]int{1, 2}, []int{2, 3}, false},
		"an unnoticed death":       {[]int{1, 1, 2}, []int{2, 3, 4}, true},
		"a sibling that ends late": {[]int{1, 1, 2}, []int{2, 3, 3}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &processes{}
			tracker := New(Options{Processes: p}).Tracker(address)
			enter := func() *Visit { return tracker.Enter(context.Background(), key, wait.Stacks{}) }
			for i, number := range c.visits {
				p.number = number
				v := enter()
				p.number = c.ends[i]
				if failure := v.Recovered(loss); failure != nil {
					t.Fatal(failure)
				}
				v.Leave(false)
			}
			v := enter()
			defer v.Leave(false)
			if v.alone != c.trial {
				t.Errorf("the next visit is a trial: %t, want %t", v.alone, c.trial)
			}
		})
	}
}
