package relay

// The names of the figures in a step's metrics.
const (
	MetricConcurrency = "bench/concurrency"
	MetricGenerate    = "bench/generate_cpu_seconds" // the calls alone
	MetricVerl        = "bench/verl_cpu_seconds"     // verl's loop, including the calls
	MetricAwhost      = "bench/awhost_cpu_seconds"   // awhost's loop in the worker, including the calls
	MetricVerlWall    = "bench/verl_wall_seconds"
	MetricAwhostWall  = "bench/awhost_wall_seconds"
	MetricFrames      = "bench/frames"
	MetricTokens      = "bench/tokens" // per episode
)

func (f figures) metrics() map[string]float64 {
	return map[string]float64{
		MetricConcurrency: float64(f.Concurrency), MetricGenerate: f.Generate.CPU, MetricVerl: f.Verl.CPU,
		MetricAwhost:   f.Awhost.CPU,
		MetricVerlWall: f.Verl.Wall, MetricAwhostWall: f.Awhost.Wall, MetricFrames: float64(f.Awhost.Frames),
		MetricTokens: float64(f.Awhost.Tokens),
	}
}
