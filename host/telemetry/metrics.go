package telemetry

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/awhost/awhost/host/rollout"
)

// The labels. The spec and awhost bound the number of values that labels can have. The names of tasks, episodes and
// steps are never labels, because a run has too many of them for a Prometheus server.
const (
	labelStage    = "stage"
	labelSplit    = "split"   // train or validation
	labelOutcome  = "outcome" // SCORED, FAILED, …
	labelClass    = "class"   // class of a failure; empty: no failure
	labelRule     = "rule"    // of a finding
	labelSeverity = "severity"
	labelPlugin   = "plugin" // address of a block
	labelModel    = "model"  // "policy", or the address of a model block
	labelType     = "type"   // type of tokens: input, output
	labelPart     = "part"   // part of an episode's time
	labelFor      = "for"    // what episodes wait for
)

// metrics holds the metrics of one run.
type metrics struct {
	registry *prometheus.Registry
	traces   *traces                                         // nil: traces are not sent
	look     atomic.Pointer[func() (rollout.Snapshot, bool)] // nil: no engine yet

	episodes, givenUp, turns, tokens           *prometheus.CounterVec
	malformed, refused, drift, steps, restarts *prometheus.CounterVec
	warnings                                   prometheus.Counter
	findings                                   *prometheus.CounterVec
	modelSeconds, stepSeconds, episodeSeconds  *prometheus.HistogramVec
	trainStepSeconds                           *prometheus.HistogramVec
	reward, success, validReward, validSuccess *prometheus.GaugeVec
	version, pluginUp, runInfo                 *prometheus.GaugeVec
	step, planned, incarnation                 prometheus.Gauge
	checkpointStep, checkpointTime             prometheus.Gauge
	known                                      map[string]int // restarts by plugin; used by Handle only
	newest                                     newest
}

// follow adds metrics about traces, as well as links from metrics to traces. It must be called before the first record
// is added.
func (m *metrics) follow(t *traces) {
	m.traces = t
	for result, n := range map[string]*atomic.Int64{"sent": &t.sent, "dropped": &t.dropped, "failed": &t.failed} {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: namespace, Name: "trace_spans_total", ConstLabels: prometheus.Labels{"result": result},
			Help: "Spans of traces: sent, dropped because the queue was full, failed because the collector rejected " +
				"them.",
		}, func() float64 { return float64(n.Load()) }))
	}
}

// exemplar returns a label with the trace of an attempt, or nil if it has no trace.
func (m *metrics) exemplar(a *rollout.AttemptRecord) prometheus.Labels {
	if m.traces == nil {
		return nil
	}
	id := TraceID(a.EpisodeID, a.Attempt)
	if !sampled(id, m.traces.settings.Sample) {
		return nil
	}
	return prometheus.Labels{"trace_id": id.String()}
}

// observe adds a duration to a histogram.
func observe(o prometheus.Observer, took time.Duration, exemplar prometheus.Labels) {
	if exemplar == nil {
		o.Observe(took.Seconds())
		return
	}
	o.(prometheus.ExemplarObserver).ObserveWithExemplar(took.Seconds(), exemplar) // histograms implement it
}

// callBuckets holds the buckets for single calls in seconds, as OpenTelemetry defines them for models. episodeBuckets
// holds the buckets for episodes.
var (
	callBuckets    = prometheus.ExponentialBuckets(0.01, 2, 14)
	episodeBuckets = prometheus.ExponentialBuckets(0.01, 4, 10)
)

func newMetrics(version string) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), known: map[string]int{}}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&gauges{m},
	)
	build := m.gauges("build_info", "The build of awhost; always 1.", "version", "go_version")
	build.WithLabelValues(version, runtime.Version()).Set(1)
	m.aboutRun()
	m.aboutEpisodes()
	return m
}

func (m *metrics) aboutRun() {
	m.runInfo = m.gauges("run_info", "The run of this process; always 1.", "run")
	m.incarnation = m.gauge("run_incarnation", "Number of the run's start, from 1.")
	m.step = m.gauge("step", "The last step that is committed or about to be committed, over all stages.")
	m.planned = m.gauge("steps_planned", "Upper limit of the steps of all stages.")
	m.steps = m.counters("steps_total", "Steps since this start of the run.", labelStage)
	m.trainStepSeconds = m.histograms("step_seconds",
		"From the end of a step to the end of the next.", episodeBuckets, labelStage)
	m.reward = m.gauges("step_reward", "Mean reward of the last step's scored episodes.", labelStage)
	m.success = m.gauges("step_success_ratio", "Fraction of the last step's episodes that succeeded.", labelStage)
	m.validReward = m.gauges("validation_reward", "Mean reward of the last validation.", labelStage)
	m.validSuccess = m.gauges("validation_success_ratio",
		"Fraction of the last validation's episodes that succeeded, failed ones in the denominator.", labelStage)
	m.version = m.gauges("policy_version",
		"The newest version of the policy that an episode was sampled with.", labelStage)
	m.checkpointStep = m.gauge("checkpoint_step", "The step of the last checkpoint that survives a crash.")
	m.checkpointTime = m.gauge("checkpoint_timestamp_seconds", "Time at which that checkpoint was committed.")
	m.pluginUp = m.gauges("plugin_up", "Whether a plugin serves: 1, or 0.", labelPlugin)
	m.restarts = m.counters("plugin_restarts_total", "Restarts of a plugin that exited.", labelPlugin)
	m.warnings = m.counter("warnings_total", "Warnings of the run.")
	m.findings = m.counters("findings_total", "Findings of the run, by rule and severity.",
		labelStage, labelRule, labelSeverity)
}

func (m *metrics) aboutEpisodes() {
	of := []string{labelStage, labelSplit}
	m.episodes = m.counters("episodes_total",
		"Finished episodes, by outcome and failure class.",
		with(of, labelOutcome, labelClass)...)
	m.givenUp = m.counters("attempts_given_up_total",
		"Attempts at episodes that were abandoned for another one.", with(of, labelClass, labelPlugin)...)
	m.turns = m.counters("turns_total",
		"Messages of models in finished episodes, including failed attempts.", with(of, labelModel)...)
	m.tokens = m.counters("tokens_total",
		"Tokens of these messages: sampled tokens and prompt tokens.", with(of, labelModel, labelType)...)
	m.malformed = m.counters("malformed_calls_total", "Tool calls of models that could not be parsed.", of...)
	m.refused = m.counters("refused_calls_total", "Tool calls of models that were not executed.", of...)
	m.drift = m.counters("token_drift_total",
		"Conversations whose tokens were not a plain extension of the previous ones.", of...)
	m.modelSeconds = m.histograms("model_seconds",
		"Duration of a model's message.", callBuckets, with(of, labelModel)...)
	m.stepSeconds = m.histograms("environment_step_seconds",
		"Duration of the environment's response to a message.", callBuckets, of...)
	m.episodeSeconds = m.histograms("episode_seconds",
		"Time of episodes, by phase: queue, model, environment, reward, siblings, host.",
		episodeBuckets, with(of, labelPart)...)
}

// with appends to a copy.
func with(labels []string, more ...string) []string {
	return append(append([]string{}, labels...), more...)
}

const namespace = "awhost"

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

func (m *metrics) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(g)
	return g
}

func (m *metrics) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Name: name, Help: help, Buckets: buckets,
	}, labels)
	m.registry.MustRegister(h)
	return h
}
