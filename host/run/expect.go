package run

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/metric"
)

// expect evaluates the expectations of a completed run, and sets the exit code if one of them does not hold.
func (r *Result) expect(all []spec.Expectation) {
	numbers := map[string]float64{}
	var texts []string
	for _, m := range []struct{ name, metric string }{
		{"success_rate", metric.ValidationSuccessRate}, {"reward", metric.ValidationReward},
	} {
		if v, ok := r.Metrics[m.metric]; ok {
			numbers[m.name] = v
			texts = append(texts, fmt.Sprintf("%s is %.4g", m.name, v))
		}
	}
	for _, e := range all {
		one := event.Expected{Name: e.Name, Condition: e.Condition.Source(), Detail: strings.Join(texts, ", ")}
		holds, err := e.Condition.Bool(spec.Inputs{Validation: numbers})
		if err != nil {
			one.Detail = err.Error()
		}
		if one.Holds = err == nil && holds; !one.Holds {
			r.Code, r.Exit = ExitExpectation, ExitExpectation.Name
		}
		r.Expected = append(r.Expected, one)
	}
}
