package bfclenv

import (
	"strconv"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// Plays EnvTuning's episodes with a perfect model, from Open to Close.
func BenchmarkEpisodes(b *testing.B) {
	e, entries := open(b, map[string]any{"mode": "envtuning", "profile": "envtuning", "held_out": 0})
	all := tasks(b, e, sdk.SplitTrain)
	messages := map[string][]sdk.Message{}
	for id, one := range entries {
		for _, truth := range one.Truth {
			if len(truth) > 0 {
				messages[id] = append(messages[id], calls(b, "envtuning", truth))
			}
			messages[id] = append(messages[id], answer("envtuning"))
		}
	}
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, task := range all {
			if _, err := e.Open(b.Context(), sdk.OpenRequest{EpisodeID: task.ID, Task: task}); err != nil {
				b.Fatal(err)
			}
			for i, message := range messages[task.ID] {
				if _, err := e.Step(b.Context(), sdk.StepRequest{EpisodeID: task.ID, StepID: strconv.Itoa(i),
					Message: message}); err != nil {
					b.Fatal(err)
				}
				steps++
			}
			if _, err := e.Close(b.Context(), sdk.CloseRequest{EpisodeID: task.ID, Reason: "done"}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
