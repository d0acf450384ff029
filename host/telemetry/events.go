package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/awhost/awhost/host/event"
)

// handle processes one of the run's events. The bus makes one call at a time.
func (m *metrics) handle(e event.Event) {
	switch p := e.Payload.(type) {
	case event.RunStarted:
		m.runInfo.WithLabelValues(e.Run).Set(1)
		m.incarnation.Set(float64(e.Incarnation))
		m.step.Set(float64(p.Step))
		m.planned.Set(float64(p.Plan.TotalSteps))
	case event.StepFinished:
		m.step.Set(float64(p.Step))
		m.steps.WithLabelValues(p.Stage).Inc()
		m.trainStepSeconds.WithLabelValues(p.Stage).Observe(float64(p.Seconds))
		set(m.reward, p.Stage, p.Reward)
		set(m.success, p.Stage, p.Success)
	case event.ValidationFinished:
		set(m.validReward, p.Stage, p.Reward)
		set(m.validSuccess, p.Stage, p.SuccessRate)
	case event.CheckpointCommitted:
		m.checkpointStep.Set(float64(p.Step))
		m.checkpointTime.Set(float64(e.Time.UnixMilli()) / 1000)
	case event.PluginState:
		m.plugin(p)
	case event.Warning:
		m.warnings.Inc()
	case event.Finding:
		if p.New {
			m.findings.WithLabelValues(p.Stage, p.ID, string(p.Severity)).Inc()
		}
	}
}

// set sets a gauge, or deletes it if nothing was measured.
func set(g *prometheus.GaugeVec, stage string, v event.Value) {
	if number, known := v.Get(); known {
		g.WithLabelValues(stage).Set(number)
		return
	}
	g.DeleteLabelValues(stage)
}

func (m *metrics) plugin(p event.PluginState) {
	up := 0.0
	if p.State == event.PluginReady {
		up = 1
	}
	m.pluginUp.WithLabelValues(p.Instance).Set(up)
	restarts := m.restarts.WithLabelValues(p.Instance)
	if more := p.Restarts - m.known[p.Instance]; more > 0 {
		restarts.Add(float64(more))
	}
	m.known[p.Instance] = p.Restarts
}
