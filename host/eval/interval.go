package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Interval is a value with its 95 % confidence interval: the range that contains the value in 95 of 100 draws of other
// tasks of the same kind.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Method is "wilson" (each task has one sample, or all results are equal), "bootstrap" (percentiles over resampled
	// tasks), or "student" (Student's t over the results of several runs, for other seeds instead of other tasks).
	Method string `json:"method" jsonschema:"enum=wilson,enum=bootstrap,enum=student"`
}

// The methods.
const (
	methodWilson    = "wilson"
	methodBootstrap = "bootstrap"
	methodStudent   = "student"
)

const (
	z95           = 1.959963984540054 // quantile of the standard normal distribution
	resamples     = 2000
	bootstrapSeed = 0x95c1 // fixed, for reproducible results
)

// wilson returns the confidence interval of a proportion (Wilson 1927). It stays between 0 and 1, and is nonempty at
// either end.
func wilson(successes, n int) Interval {
	p, m := float64(successes)/float64(n), float64(n)
	centre := (p + z95*z95/(2*m)) / (1 + z95*z95/m)
	half := z95 / (1 + z95*z95/m) * math.Sqrt(p*(1-p)/m+z95*z95/(4*m*m))
	return Interval{Value: p, Low: max(0, centre-half), High: min(1, centre+half), Method: methodWilson}
}

// bootstrap returns the confidence interval of a mean over tasks (Efron 1979). It resamples tasks, because the samples
// of one task are similar. values holds the sum and the number of values for each task.
func bootstrap(values []weighted) Interval {
	random := rand.New(rand.NewPCG(bootstrapSeed, uint64(len(values))))
	means := make([]float64, 0, resamples)
	for range resamples {
		var drawn weighted
		for range values {
			drawn = drawn.plus(values[random.IntN(len(values))])
		}
		if drawn.count > 0 {
			means = append(means, drawn.mean())
		}
	}
	var all weighted
	for _, v := range values {
		all = all.plus(v)
	}
	slices.Sort(means)
	return Interval{Value: all.mean(), Low: quantile(means, 0.025), High: quantile(means, 0.975), Method: methodBootstrap}
}

// students holds the 0.975 quantiles of Student's t distribution with 1, 2, … degrees of freedom.
var students = []float64{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281}

// studentQuantile returns such a quantile. For many degrees of freedom, it is an expansion around the normal
// distribution's (Abramowitz and Stegun 1964, 26.7.5), whose error is below 0.1 %.
func studentQuantile(freedom int) float64 {
	if freedom <= len(students) {
		return students[freedom-1]
	}
	n, z2 := float64(freedom), z95*z95
	return z95 * (1 + (z2+1)/(4*n) + (5*z2*z2+16*z2+3)/(96*n*n))
}

// Means returns the mean of the results of several runs with its confidence interval, which is infinite for one run.
func Means(results []float64) Interval {
	n, mean, squares := float64(len(results)), sum(results).mean(), 0.0
	for _, result := range results {
		squares += (result - mean) * (result - mean)
	}
	half := math.Inf(1)
	if len(results) > 1 {
		half = studentQuantile(len(results)-1) * math.Sqrt(squares/(n-1)/n)
	}
	return Interval{Value: mean, Low: mean - half, High: mean + half, Method: methodStudent}
}

// weighted is a sum of a number of values.
type weighted struct {
	sum   float64
	count int
}

func (w weighted) plus(o weighted) weighted { return weighted{w.sum + o.sum, w.count + o.count} }
func (w weighted) mean() float64            { return w.sum / float64(w.count) }

// quantile interpolates between sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// passAt returns the probability that at least one of k samples solves a task, an unbiased estimate from n samples of
// which c solved it (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1): 1 - C(n-c,
// k)/C(n, k).
func passAt(n, c, k int) float64 {
	switch {
	case n-c < k:
		return 1
	case k == 1:
		return float64(c) / float64(n) // exact to the last bit
	}
	missed := 1.0
	for i := n - c + 1; i <= n; i++ {
		missed *= 1 - float64(k)/float64(i)
	}
	return 1 - missed
}
