package eval

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestPassAt_IsTheShareOfDrawsThatSolve compares the estimator with its definition: the share of all choices of k
// samples with at least one that solves.
func TestPassAt_IsTheShareOfDrawsThatSolve(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				draws, solving := 0, 0
				for set := uint(0); set < 1<<n; set++ {
					if bits.OnesCount(set) != k {
						continue
					}
					draws++
					if set&(1<<c-1) != 0 { // the first c samples solve the task
						solving++
					}
				}
				want := float64(solving) / float64(draws)
				if got := passAt(n, c, k); math.Abs(got-want) > 1e-12 {
					t.Errorf("pass@%d of %d samples with %d solved: %v, want %v", k, n, c, got, want)
				}
			}
		}
	}
}

// The numbers come from R's binom::binom.wilson and Python's statsmodels proportion_confint.
func TestWilson(t *testing.T) {
	for _, test := range []struct {
		successes, n int
		low, high    float64
	}{
		{0, 10, 0, 0.277533}, {5, 10, 0.236593, 0.763407}, {10, 10, 0.722467, 1}, {74, 200, 0.306116, 0.438724},
	} {
		got := wilson(test.successes, test.n)
		if math.Abs(got.Low-test.low) > 2e-4 || math.Abs(got.High-test.high) > 2e-4 || got.Method != methodWilson {
			t.Errorf("%d of %d: %+v, want %v to %v", test.successes, test.n, got, test.low, test.high)
		}
	}
}

func TestBootstrap_CoversTheMeanOfTasksThatAreAlikeWithin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const trials, tasks, samples = 200, 40, 8
	covered, naive := 0, 0.0
	for range trials {
		var values []weighted
		total := 0
		for range tasks {
			solved := 0
			if random.Float64() < 0.5 { // each task is solved always or never
				solved = samples
			}
			values, total = append(values, weighted{float64(solved), samples}), total+solved
		}
		got := bootstrap(values)
		if got.Low <= 0.5 && 0.5 <= got.High {
			covered++
		}
		w := wilson(total, tasks*samples)
		if w.Low <= 0.5 && 0.5 <= w.High {
			naive++
		}
	}
	if share := float64(covered) / trials; share < 0.88 || share > 1 {
		t.Errorf("the interval covers the truth in %v of all cases, want about 0.95; %v if samples are taken for tasks",
			share, naive/trials)
	}
	t.Logf("covered %d of %d; an interval that takes samples for tasks covers %.0f", covered, trials, naive)
}

func TestBootstrap_IsTheSameEachTime(t *testing.T) {
	values := []weighted{{1, 2}, {2, 2}, {0, 2}}
	if a, b := bootstrap(values), bootstrap(values); a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
	if one := bootstrap([]weighted{{3, 4}}); one.Low != 0.75 || one.High != 0.75 {
		t.Errorf("of one task: %+v", one)
	}
	if some := bootstrap([]weighted{{0, 0}, {1, 1}}); some.Value != 1 || some.Low != 1 || some.High != 1 {
		t.Errorf("with a task that has no number: %+v", some)
	}
}

// The quantiles are from a table. The expansion for many results is 0.1 % off at most.
func TestMeans(t *testing.T) {
	for n, quantile := range map[int]float64{2: 12.7062, 5: 2.7764, 11: 2.2281, 12: 2.2010, 31: 2.0423, 121: 1.9799} {
		results := make([]float64, n)
		for i := range results {
			results[i] = float64(i)
		}
		// The variance of 0, 1, … n - 1 is n (n + 1) / 12.
		got, want := Means(results), quantile*math.Sqrt(float64(n+1)/12)
		if mean := float64(n-1) / 2; got.Value != mean || math.Abs((got.High-mean)/want-1) > 0.001 ||
			math.Abs(got.High+got.Low-2*mean) > 1e-9 {
			t.Errorf("%d results: %+v, want %g ± %g", n, got, mean, want)
		}
	}
	if one := Means([]float64{0.5}); !math.IsInf(one.High, 1) {
		t.Errorf("one result: %+v", one)
	}
}
