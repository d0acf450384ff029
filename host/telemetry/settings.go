package telemetry

import (
	"cmp"
	"net"

	"github.com/awhost/awhost/host/spec"
)

// Settings are what a spec and the environment say together.
type Settings struct {
	Metrics *MetricsSettings // nil: none are served
}

// MetricsSettings are about metrics for Prometheus.
type MetricsSettings struct {
	Listen string // address and port; port 0: any
}

// SettingsOf fills what a spec leaves open from the environment, by the variables that OpenTelemetry names. The
// environment alone turns nothing on: what is sent, and to whom, stands in the spec.
func SettingsOf(block *spec.Telemetry, getenv func(string) (string, bool)) Settings {
	if block == nil {
		return Settings{}
	}
	env := func(name string) string { value, _ := getenv(name); return value }
	out := Settings{}
	if m := block.Metrics; m != nil {
		host := cmp.Or(env("OTEL_EXPORTER_PROMETHEUS_HOST"), "127.0.0.1")
		port := cmp.Or(env("OTEL_EXPORTER_PROMETHEUS_PORT"), "9464")
		out.Metrics = &MetricsSettings{Listen: cmp.Or(m.Listen, net.JoinHostPort(host, port))}
	}
	return out
}
