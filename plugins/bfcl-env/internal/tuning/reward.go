package tuning

// Reward is the result of EnvTuning's reward functions for an episode's scores.
type Reward struct {
	Score      float64
	Progress   float64 // share of solved turns
	Format     float64 // share of messages in the right format
	Tools      float64 // share of tool rounds without an exception
	CalledTool bool
	Rounds     int
}

// FormatReward returns the reward of the first training stages: messages in the right format and calls without
// exceptions, from 0 to 2. It is 0 for a model that made no calls.
func FormatReward(scores []float64) Reward {
	r := summary(scores)
	if r.CalledTool {
		r.Score = r.Format + r.Tools
	}
	return r
}

// ProgressReward returns the reward for the later training stages: the fraction of turns that were solved. turns is the
// number of turns in the entry, and turns that were not reached count as unsolved. If turns is 0, only the turns that
// were reached count, as in the reference, where an episode that is cut off after a good turn gets 1.
func ProgressReward(scores []float64, turns int) Reward {
	r := summary(scores)
	if turns > 0 {
		r.Progress = r.Progress * float64(judged(scores)) / float64(max(turns, judged(scores)))
	}
	r.Score = r.Progress
	return r
}

// judged counts the finished turns.
func judged(scores []float64) int { return count(scores, 0) + count(scores, 1) }

func summary(scores []float64) Reward {
	fine, failed := count(scores, scoreTools), count(scores, scoreException)
	r := Reward{CalledTool: fine+failed > 0, Rounds: len(scores)}
	if r.Rounds > 0 {
		r.Format = float64(r.Rounds-count(scores, scoreFormat)) / float64(r.Rounds)
	}
	if r.CalledTool {
		r.Tools = float64(fine) / float64(fine+failed)
	}
	if n := judged(scores); n > 0 {
		r.Progress = float64(count(scores, 1)) / float64(n)
	}
	return r
}

func count(scores []float64, score float64) int {
	n := 0
	for _, s := range scores {
		if s == score {
			n++
		}
	}
	return n
}
