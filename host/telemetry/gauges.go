package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/awhost/awhost/host/rollout"
)

// watch sets the function that returns an engine's state at each scrape.
func (m *metrics) watch(look func() (rollout.Snapshot, bool)) { m.look.Store(&look) }

// gauges collects the metrics that are computed at each scrape.
type gauges struct{ m *metrics }

var (
	describeOpen = prometheus.NewDesc("awhost_episodes_open",
		"Running episodes, by what they wait for.", []string{labelStage, labelFor, labelPlugin}, nil)
	describePlaces = prometheus.NewDesc("awhost_episode_places",
		"Limit of concurrent episodes.", []string{labelStage}, nil)
	describeLooked = prometheus.NewDesc("awhost_breaker_episodes",
		"Episodes in the window of the circuit breaker.", []string{labelStage}, nil)
	describeFailed = prometheus.NewDesc("awhost_breaker_failed_episodes",
		"Episodes in the window of the circuit breaker that failed.", []string{labelStage}, nil)
)

// Describe implements prometheus.Collector.
func (*gauges) Describe(descriptions chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{describeOpen, describePlaces, describeLooked, describeFailed} {
		descriptions <- d
	}
}

// Collect implements prometheus.Collector.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	look := g.m.look.Load()
	if look == nil {
		return
	}
	now, working := (*look)()
	if !working {
		return
	}
	gauge := func(d *prometheus.Desc, n int, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
	}
	gauge(describePlaces, now.Places, now.Stage)
	gauge(describeLooked, now.Looked, now.Stage)
	gauge(describeFailed, now.Failed, now.Stage)
	type kind struct{ why, address string }
	open := map[kind]int{}
	for _, w := range now.Waits {
		open[kind{string(w.For), w.Address}] += w.Episodes // several calls may have the same cause and address
	}
	for k, n := range open {
		gauge(describeOpen, n, now.Stage, k.why, k.address)
	}
}

var _ prometheus.Collector = (*gauges)(nil)
