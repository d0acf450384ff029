package plan

import (
	"fmt"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/sdk"
)

// highestLearningRate is higher than any learning rate known to work for a policy: common learning rates are at most
// 1e-2.
const highestLearningRate = 0.1

// longestWarmup is the number of times that a warm-up may be as long as the run, as in a short trial of a recipe.
const longestWarmup = 10

// highestConcurrency is more than any known engine samples at a time.
const highestConcurrency = 1 << 14

// episodeBytes is the minimum amount of memory that an episode uses until its step has ended: for its record, its
// result, and the waiting goroutines.
const episodeBytes = 4 << 10

// checkPlausibility returns diagnostics about numbers in a stage that are valid but probably unintended.
func (p *Plan) checkPlausibility(s Stage) diag.Diagnostics {
	if p.Smoke != nil {
		return nil // it has its own numbers
	}
	var problems diag.Diagnostics
	doubt := func(severity diag.Severity, path []string, summary, detail string) {
		problems = append(problems, p.Spec.Diagnose(p.writer(s.Stage, path), path,
			diag.Diagnostic{Severity: severity, Summary: summary, Detail: detail}))
	}
	if rate := s.Knobs.Optimizer.LearningRate; rate != nil && *rate > highestLearningRate {
		doubt(diag.Warning, []string{"optimizer", "learning_rate"}, "Very high learning rate", fmt.Sprintf(
			"learning_rate = %v changes the weights so much in each update that training destroys the policy; 1e-6 to 1e-3 "+
				"are usual. Check the exponent.", *rate))
	}
	steps := 0 // of all stages
	for _, stage := range p.Stages {
		steps += p.steps(stage.Stage)
	}
	if n := sdk.ValueOr(s.Knobs.Optimizer.WarmupSteps, 0); steps > 0 && n > longestWarmup*steps {
		doubt(diag.Warning, []string{"optimizer", "warmup_steps"}, "Warm-up longer than the run", fmt.Sprintf(
			"With warmup_steps = %d, a run of %d steps reaches %.2g %% of its learning_rate. Use a few steps.", n, steps,
			100*float64(steps)/float64(n)))
	}
	if s.Concurrency > highestConcurrency {
		doubt(diag.Warning, []string{"concurrency"}, "Very high concurrency", fmt.Sprintf(
			"concurrency = %d lets as many episodes hold connections, files, and processes at the same time. Trainers "+
				"usually saturate with a few hundred. Check the number of zeros.", s.Concurrency))
	}
	path := []string{"batch", "prompts"}
	if needed, has := stepBytes(s), doctor.Memory(); has > 0 && needed > float64(has) {
		doubt(diag.Error, path, "A step does not fit into memory", fmt.Sprintf(
			"A step of %d prompts × %d samples needs at least %s of memory, but this machine has %s. Use fewer "+
				"prompts.", s.Prompts, max(1, s.GroupSize), bytesText(needed), bytesText(float64(has))))
		return problems
	}
	if tasks := p.Tasks(s.Dataset); tasks > 0 && s.Prompts > tasks {
		doubt(diag.Warning, path, "More prompts than tasks", fmt.Sprintf(
			"Each step uses %d prompts, but %s has only %d tasks: every step trains on the same tasks, some of them several "+
				"times. Write prompts = %d or less, or use more data.",
			s.Prompts, s.Dataset, tasks, tasks))
	}
	return problems
}

// stepBytes returns the minimum amount of memory that a step's episodes use.
func stepBytes(s Stage) float64 {
	return float64(s.Prompts) * float64(max(1, s.GroupSize)) * episodeBytes
}

// bytesText formats a number of bytes using the largest unit that yields a value above 1.
func bytesText(n float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	for n >= 1024 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return fmt.Sprintf("%.3g %s", n, units[i])
}
