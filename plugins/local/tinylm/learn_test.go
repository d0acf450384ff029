package tinylm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
)

// TestLearnArithmetic runs the quick start's whole recipe in one process: behavior cloning of demonstrations that
// pick a random tool four times out of five, then GRPO. It takes about a minute per seed, so it requires
// AWHOST_LEARN=1. AWHOST_LEARN_SEEDS=1,2 selects the seeds.
func TestLearnArithmetic(t *testing.T) {
	if os.Getenv("AWHOST_LEARN") != "1" {
		t.Skip("set AWHOST_LEARN=1 to train a policy for about a minute per seed")
	}
	seeds := os.Getenv("AWHOST_LEARN_SEEDS")
	if seeds == "" {
		seeds = "1,2"
	}
	for _, text := range strings.Split(seeds, ",") {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("AWHOST_LEARN_SEEDS: %v", err)
		}
		t.Run("seed "+text, func(t *testing.T) {
			cloned, trained := learnArithmetic(t, seed)
			if trained < 90 || trained < cloned+25 {
				t.Errorf("held-out success went from %.1f %% to %.1f %%", cloned, trained)
			}
		})
	}
}

// learnArithmetic returns the held-out success in percent after behavior cloning and after GRPO.
func learnArithmetic(t *testing.T, seed uint64) (cloned, trained float64) {
	policy, err := tinylm.New(tinylm.Tiny(), seed, tinylm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := learner{t: t, policy: policy, random: rand.New(rand.NewPCG(seed, 7)), seed: seed}
	start := time.Now()
	l.clone(1000, 400, 16)
	cloned = l.success(1)
	t.Logf("after cloning (%.1f s, %.0f tok/s): held-out success %.1f %%, greedy %.1f %%", l.trainTime.Seconds(),
		l.trainRate(), cloned, l.success(0))
	policy.ResetOptimizer()
	l.trainTime, l.trainTokens = 0, 0
	l.reinforce(60, 32, 8)
	trained = l.success(1)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("after GRPO: held-out success %.1f %%, greedy %.1f %%; %.1f s in all, training %.1f s at %.0f tok/s, sampling %.1f s at %.0f tok/s, %d MB from the system",
		trained, l.success(0), time.Since(start).Seconds(), l.trainTime.Seconds(), l.trainRate(),
		l.sampleTime.Seconds(), float64(l.sampled)/l.sampleTime.Seconds(), memory.Sys>>20)
	return cloned, trained
}

type learner struct {
	t      *testing.T
	policy *tinylm.Policy
	random *rand.Rand
	seed   uint64

	trainTime, sampleTime time.Duration
	trainTokens, sampled  int
}

func (l *learner) trainRate() float64 { return float64(l.trainTokens) / l.trainTime.Seconds() }

func (l *learner) timeTraining(rows int, step func()) {
	start := time.Now()
	step()
	l.trainTime += time.Since(start)
	l.trainTokens += rows
}

func countTokens(rows []tinylm.Row) (n int) {
	for _, r := range rows {
		n += len(r.IDs) - 1
	}
	return n
}

func (l *learner) clone(demonstrations, steps, batch int) {
	rows := make([]tinylm.Row, demonstrations)
	for i := range rows {
		rows[i] = demonstrate(l.t, drawProblem(l.random, false), l.random)
	}
	schedule := grpo.Schedule{Peak: 2e-3, Shape: grpo.Hold, WarmupSteps: 20, TotalSteps: steps}
	for step := 1; step <= steps; step++ {
		chosen := make([]tinylm.Row, batch)
		for i := range chosen {
			chosen[i] = rows[l.random.IntN(len(rows))]
		}
		l.timeTraining(countTokens(chosen), func() {
			if _, err := l.policy.SFTStep(chosen, schedule.At(step)); err != nil {
				l.t.Fatal(err)
			}
		})
	}
	l.policy.Publish()
}

func (l *learner) reinforce(steps, prompts, group int) {
	schedule := grpo.Schedule{Peak: 1e-3, Shape: grpo.Linear, WarmupSteps: 5, TotalSteps: steps}
	hyper := grpo.DefaultHyper()
	for step := 1; step <= steps; step++ {
		var problems []problem
		for range prompts {
			p := drawProblem(l.random, false)
			for range group {
				problems = append(problems, p)
			}
		}
		episodes := l.rollout(problems, 1, l.seed<<20+uint64(step))
		samples := make([]tinylm.Sample, len(episodes))
		var rows []tinylm.Row
		for i, e := range episodes {
			samples[i].Outcome = grpo.Outcome{Group: strconv.Itoa(i / group), Reward: e.reward()}
			samples[i].Rows = []tinylm.Row{e.row}
			rows = append(rows, e.row)
		}
		hyper.LearningRate = schedule.At(step)
		var metrics grpo.Metrics
		l.timeTraining(0, func() {
			var err error
			if metrics, err = l.policy.GRPOStep(samples, hyper); err != nil {
				l.t.Fatal(err)
			}
		})
		l.trainTokens += countTokens(rows) * metrics.Used / max(1, metrics.Samples)
		if metrics.LogprobGap > 1e-3 {
			l.t.Errorf("step %d: sampler and trainer differ by %v", step, metrics.LogprobGap)
		}
		l.policy.Publish()
		if step%10 == 0 {
			l.t.Logf("step %d: reward %.3f, entropy %.3f, gradient %.2f, gap %.1e, %d of %d samples used, held-out %.1f %%",
				step, metrics.RewardMean, metrics.Entropy, metrics.GradNorm, metrics.LogprobGap, metrics.Used, metrics.Samples,
				l.success(1))
		}
	}
}

// success returns the share of 300 held-out problems that were solved, in percent.
func (l *learner) success(temperature float64) float64 {
	random := rand.New(rand.NewPCG(l.seed, 1234))
	problems := make([]problem, 300)
	for i := range problems {
		problems[i] = drawProblem(random, true)
	}
	train, sample, sampled := l.trainTime, l.sampleTime, l.sampled
	solved := 0
	for _, e := range l.rollout(problems, temperature, 777) {
		if e.solved() {
			solved++
		}
	}
	l.trainTime, l.sampleTime, l.sampled = train, sample, sampled
	return 100 * float64(solved) / float64(len(problems))
}

// rollout plays one episode per problem, one at a time per core.
func (l *learner) rollout(problems []problem, temperature float64, seed uint64) []*episode {
	start := time.Now()
	episodes := make([]*episode, len(problems))
	queue := make(chan int)
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for i := range queue {
				episodes[i] = play(l.t, l.policy, problems[i], temperature, seed*1000003+uint64(i)*97)
			}
		})
	}
	for i := range problems {
		queue <- i
	}
	close(queue)
	running.Wait()
	l.sampleTime += time.Since(start)
	for _, e := range episodes {
		for _, trained := range e.row.Trained {
			if trained {
				l.sampled++
			}
		}
	}
	return episodes
}

// problem is "a op b", to be solved by one of four tools.
type problem struct {
	a, b int
	op   byte
}

var toolNames = map[byte]string{'+': "add", '-': "sub", '*': "mul", '%': "mod"}

// drawProblem reserves a tenth of all operand pairs for evaluation.
func drawProblem(r *rand.Rand, heldOut bool) problem {
	for {
		p := problem{a: r.IntN(100), b: 1 + r.IntN(99), op: "+-*%"[r.IntN(4)]}
		if ((p.a+3*p.b)%10 == 7) == heldOut {
			return p
		}
	}
}

func (p problem) messages() []tokenizer.Message {
	return []tokenizer.Message{{Role: tokenizer.RoleUser, Content: fmt.Sprintf("%d%c%d=", p.a, p.op, p.b)}}
}

func calculate(tool string, a, b int) (int, error) {
	switch {
	case tool == "add":
		return a + b, nil
	case tool == "sub":
		return a - b, nil
	case tool == "mul":
		return a * b, nil
	case tool == "mod" && b != 0:
		return a % b, nil
	}
	return 0, fmt.Errorf("no tool %q for %d and %d", tool, a, b)
}

// demonstrate solves a problem with a tool that is random in 80 % of the cases. 40 % are right, and only rewards
// distinguish them.
func demonstrate(t *testing.T, p problem, r *rand.Rand) tinylm.Row {
	tool := toolNames[p.op]
	if r.Float64() < 0.8 {
		tool = []string{"add", "sub", "mul", "mod"}[r.IntN(4)]
	}
	result, err := calculate(tool, p.a, p.b)
	if err != nil {
		t.Fatal(err)
	}
	ids, trained, err := tokenizer.EncodeDemonstration(append(p.messages(),
		tokenizer.Message{Role: tokenizer.RoleAssistant,
			ToolCalls: []tokenizer.ToolCall{{Name: tool, Arguments: fmt.Sprintf(`{"a":%d,"b":%d}`, p.a, p.b)}}},
		tokenizer.Message{Role: tokenizer.RoleTool, Content: strconv.Itoa(result)},
		tokenizer.Message{Role: tokenizer.RoleAssistant, Content: fmt.Sprintf("<answer>%d</answer>", result)}))
	if err != nil {
		t.Fatal(err)
	}
	return tinylm.Row{IDs: ids, Trained: trained}
}

// episode is one attempt at a problem.
type episode struct {
	problem                             problem
	row                                 tinylm.Row
	called, rightTool, rightArgs, right bool
}

func (e *episode) solved() bool { return e.called && e.rightTool && e.rightArgs && e.right }

// reward returns 0.1 for a call that runs, 0.2 for the right tool, 0.2 for the right arguments, and 1 if all is right.
func (e *episode) reward() float64 {
	if e.solved() {
		return 1
	}
	reward := 0.0
	for _, part := range []struct {
		reached bool
		value   float64
	}{{e.called, 0.1}, {e.rightTool, 0.2}, {e.rightArgs, 0.2}} {
		if part.reached {
			reward += part.value
		}
	}
	return reward
}

func play(t *testing.T, policy *tinylm.Policy, p problem, temperature float64, seed uint64) *episode {
	e := &episode{problem: p}
	ids, err := tokenizer.Encode(p.messages())
	if err != nil {
		t.Error(err)
		return e
	}
	e.extend(append(ids, tokenizer.Assistant), false, nil)
	window := policy.Config().MaxLen
	for turn := range uint64(4) {
		answer, err := policy.Generate(context.Background(), tinylm.GenRequest{
			PromptIDs: e.row.IDs, Seed: seed + turn,
			Sampling: tinylm.Sampling{Temperature: temperature, MaxTokens: 60},
		})
		if err != nil {
			t.Error(err)
			return e
		}
		e.row.Version = answer.Version
		e.extend(answer.IDs, true, answer.Logprobs)
		if answer.Finish != tinylm.FinishStop || e.step(turn, tokenizer.Decode(answer.IDs)) || len(e.row.IDs)+2 >= window {
			return e
		}
		if len(e.row.IDs) >= window {
			return e
		}
	}
	return e
}

func (e *episode) extend(ids []int32, trained bool, logprobs []float32) {
	for i, id := range ids {
		var l float32
		if trained {
			l = logprobs[i]
		}
		e.row.IDs, e.row.Trained, e.row.Logprobs = append(e.row.IDs, id), append(e.row.Trained, trained),
			append(e.row.Logprobs, l)
	}
}

// step answers an assistant message with the tool's result, or ends the episode.
func (e *episode) step(turn uint64, m tokenizer.Message) (done bool) {
	truth, _ := calculate(toolNames[e.problem.op], e.problem.a, e.problem.b)
	if strings.Contains(m.Content, "<answer>") || turn == 3 {
		e.right = m.Content == fmt.Sprintf("<answer>%d</answer>", truth)
		return true
	}
	result := "error"
	if len(m.ToolCalls) > 0 {
		var arguments struct{ A, B *int }
		call := m.ToolCalls[0]
		if json.Unmarshal([]byte(call.Arguments), &arguments) == nil && arguments.A != nil && arguments.B != nil {
			if value, err := calculate(call.Name, *arguments.A, *arguments.B); err == nil {
				result = strconv.Itoa(value)
				e.called = true
				if turn == 0 {
					e.rightTool = call.Name == toolNames[e.problem.op]
					e.rightArgs = *arguments.A == e.problem.a && *arguments.B == e.problem.b
				}
			}
		}
	}
	ids, _ := tokenizer.AppendMessage(nil, tokenizer.Message{Role: tokenizer.RoleTool, Content: result})
	e.extend(append(ids, tokenizer.Assistant), false, nil)
	return false
}
