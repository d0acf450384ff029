package tuning

// Reward is what EnvTuning's reward functions make of the scores of an episode.
type Reward struct {
	Score      float64
	Progress   float64 // share of the turns that were solved
	Format     float64 // share of the messages that were in the format
	Tools      float64 // share of the rounds of tools without an exception
	CalledTool bool
	Rounds     int
}

// FormatReward is that of the first stages: messages in the format and calls without exceptions, from 0 to 2; 0 for a model
// that called nothing.
func FormatReward(scores []float64) Reward {
	r := summary(scores)
	if r.CalledTool {
		r.Score = r.Format + r.Tools
	}
	return r
}

// ProgressReward is that of the later stages: the share of the turns that were solved. turns is how many the entry has: those
// that were never reached count as not solved. With turns 0 only those count that were reached, as in the reference, where an
// episode that is cut after a good turn is worth 1.
func ProgressReward(scores []float64, turns int) Reward {
	r := summary(scores)
	if turns > 0 {
		r.Progress = r.Progress * float64(judged(scores)) / float64(max(turns, judged(scores)))
	}
	r.Score = r.Progress
	return r
}

// judged counts the turns that came to an end.
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
