package pythonplugin

import (
	"fmt"
	"testing"
)

// BenchmarkScore measures a minimal function over the real protocol, with sequential calls of the reward. The target
// is 5,000 scores per second with one process and full batches:
//
//	go test ./plugins/python -run '^$' -bench Score -benchtime 2s
func BenchmarkScore(b *testing.B) {
	const verl = "def score(data_source, solution_str, ground_truth, extra_info=None):\n    return float(solution_str == ground_truth)"
	const lists = "def score(solution_strs, ground_truths):\n    return [float(a == b) for a, b in zip(solution_strs, ground_truths)]"
	for _, c := range []struct {
		name   string
		code   string
		config map[string]any
		size   int
	}{
		{"one by one", verl, nil, 1},
		{"batches", verl, nil, batchSize},
		{"lists", lists, map[string]any{"batch": batchSize}, batchSize},
	} {
		b.Run(fmt.Sprintf("%s of %d", c.name, c.size), func(b *testing.B) {
			r := rewardOf(b, c.code, c.config)
			answers := make([]string, c.size)
			for i := range answers {
				answers[i] = "<answer>42</answer> and some text of the usual length, as a model writes it"
			}
			req := items(answers...)
			b.ResetTimer()
			for range b.N {
				for _, got := range scoreAll(b, r, req).Items {
					if got.Failure != nil {
						b.Fatal(got.Failure)
					}
				}
			}
			b.ReportMetric(float64(b.N*c.size)/b.Elapsed().Seconds(), "scores/s")
		})
	}
}
