package plan

import (
	"fmt"
	"net/url"

	"github.com/awhost/awhost/host/telemetry/settings"
)

// Shown is telemetry that a run provides to monitoring programs.
type Shown struct {
	What    string   `json:"what" jsonschema:"enum=metrics,enum=traces"`
	Where   string   `json:"where"`             // metrics: the URL; traces: the URL of the collector
	Sample  *float64 `json:"sample,omitempty"`  // of traces: the exported fraction
	Content bool     `json:"content,omitempty"` // of traces: message contents are exported
}

// String implements fmt.Stringer.
func (s Shown) String() string {
	if s.What == "metrics" {
		return "metrics at " + s.Where
	}
	out := "traces to " + s.Where
	if s.Sample != nil && *s.Sample < 1 {
		out = fmt.Sprintf("%v of the %s", *s.Sample, out)
	}
	if s.Content {
		return out + ", with message texts"
	}
	return out
}

// shown returns the telemetry and its destinations.
func (p *Plan) shown() (out []Shown) {
	if p.Smoke != nil {
		return nil
	}
	as := settings.Of(p.Spec.Telemetry, p.Spec.Getenv)
	if as.Metrics != nil {
		out = append(out, Shown{What: "metrics", Where: "http://" + as.Metrics.Listen + "/metrics"})
	}
	if as.Traces != nil {
		where := "a collector" // if the URL is invalid or contains secrets
		if parsed, err := url.Parse(as.Traces.Endpoint); err == nil {
			parsed.RawQuery = ""
			where = parsed.Redacted()
		}
		out = append(out, Shown{
			What: "traces", Where: where, Sample: &as.Traces.Sample, Content: as.Traces.Content,
		})
	}
	return out
}
