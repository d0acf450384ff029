//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

const observersKey = "observers"

// observers runs a Prometheus and an OpenTelemetry collector for a script.
type observers struct {
	dir        string // of their output
	metrics    string // address that Prometheus scrapes, $METRICS
	prometheus string // its address
	collector  string // URL, $COLLECTOR
	running    []*exec.Cmd
}

// observe implements the script command observers.
func observe(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 0, "observers start | lint | sees QUERY VALUE | collects LIVES | traces LIVES | end")
	o := ts.Value(observersKey).(*observers)
	switch {
	case args[0] == "start":
		o.start(ts)
	case args[0] == "lint":
		o.lint(ts)
	case args[0] == "sees" && len(args) == 3:
		untilRight(ts, func() string { return o.sees(args[1], args[2]) })
	case args[0] == "collects" && len(args) == 2:
		untilRight(ts, func() string { return o.traces(args[1]) })
	case args[0] == "traces" && len(args) == 2:
		o.end() // then all data is written
		if problem := o.traces(args[1]); problem != "" {
			ts.Fatalf("%s", problem)
		}
	case args[0] == "end":
		o.end()
	default:
		ts.Fatalf("unknown: observers %s", strings.Join(args, " "))
	}
}

// start starts them at free ports.
func (o *observers) start(ts *testscript.TestScript) {
	o.dir = ts.MkAbs("observers")
	ts.Check(os.MkdirAll(o.dir, 0o755))
	o.metrics, o.prometheus = freeAddress(ts), freeAddress(ts)
	takes := freeAddress(ts)
	o.collector = "http://" + takes
	ts.Setenv("METRICS", o.metrics)
	ts.Setenv("COLLECTOR", o.collector)
	o.write(ts, "prometheus.yaml", fmt.Sprintf(`global: { scrape_interval: 200ms }
scrape_configs:
  - job_name: awhost
    static_configs: [{ targets: ["%s"] }]
`, o.metrics))
	o.write(ts, "otelcol.yaml", fmt.Sprintf(`receivers: { otlp: { protocols: { http: { endpoint: "%s" } } } }
exporters: { file: { path: "%s", flush_interval: 100ms } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [file] } }
`, takes, o.file()))
	o.run(ts, "prometheus", "--config.file=prometheus.yaml", "--storage.tsdb.path=tsdb",
		"--web.listen-address="+o.prometheus, "--enable-feature=exemplar-storage")
	o.run(ts, "otelcol", "--config", filepath.Join(o.dir, "otelcol.yaml"))
	ts.Defer(o.end)
	untilRight(ts, func() string { return o.sees("vector(1)", "1") })
	untilRight(ts, func() string {
		connection, err := net.Dial("tcp", takes)
		if err != nil {
			return err.Error()
		}
		_ = connection.Close()
		return ""
	})
}

func (o *observers) file() string { return filepath.Join(o.dir, "traces.jsonl") }

func (o *observers) write(ts *testscript.TestScript, name, text string) {
	ts.Check(os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o600))
}

func (o *observers) run(ts *testscript.TestScript, name string, args ...string) {
	out, err := os.Create(filepath.Join(o.dir, name+".log"))
	ts.Check(err)
	defer out.Close()
	cmd := exec.Command(filepath.Join(os.Getenv(observersVariable), name), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.dir, out, out
	ts.Check(cmd.Start())
	o.running = append(o.running, cmd)
}

// end ends them and waits for their exit.
func (o *observers) end() {
	for _, cmd := range o.running {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	o.running = nil
}

func freeAddress(ts *testscript.TestScript) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer listener.Close()
	return listener.Addr().String()
}

// lint checks the run's metrics with promtool.
func (o *observers) lint(ts *testscript.TestScript) {
	response, err := http.Get("http://" + o.metrics + "/metrics")
	ts.Check(err)
	defer response.Body.Close()
	cmd := exec.Command(filepath.Join(os.Getenv(observersVariable), "promtool"), "check", "metrics")
	cmd.Stdin = response.Body
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		ts.Fatalf("promtool check metrics: %v\n%s", err, out)
	}
}

// sees describes how Prometheus's answer to a query differs from a value.
func (o *observers) sees(query, value string) string {
	response, err := http.Get("http://" + o.prometheus + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  struct {
			Result []struct{ Value [2]any }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err.Error()
	}
	if got := answer.Data.Result; len(got) != 1 || got[0].Value[1] != value {
		return fmt.Sprintf("Prometheus answers %v to %s, not %s %s", got, query, value, answer.Error)
	}
	return ""
}

// written holds the used part of a line in the collector's file, in the JSON form of OTLP.
type written struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes []attributeJSON }
		ScopeSpans []struct {
			Spans []struct {
				TraceID      string
				ParentSpanID string
				Attributes   []attributeJSON
			}
		}
	}
}

type attributeJSON struct {
	Key   string
	Value struct{ StringValue, IntValue string }
}

func attributeOf(of []attributeJSON, name string) string {
	for _, a := range of {
		if a.Key == name {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

// traces describes errors in the collector's traces: each must have the id derived from its episode, and they must
// belong to that number of host processes.
func (o *observers) traces(lives string) string {
	text, err := os.ReadFile(o.file())
	if err != nil {
		return err.Error()
	}
	played := map[string]map[string]bool{} // host processes, by trace
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(line, "\n") {
			break // the line is still being written
		}
		var w written
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			return err.Error()
		}
		if wrong := w.add(played); wrong != "" {
			return wrong
		}
	}
	seen := map[string]bool{}
	for _, by := range played {
		for life := range by {
			seen[life] = true
		}
	}
	if fmt.Sprint(len(seen)) != lives {
		return fmt.Sprintf("%d traces are of %d lives, not %s", len(played), len(seen), lives)
	}
	return ""
}

// add records which host process has played which trace.
func (w *written) add(played map[string]map[string]bool) (wrong string) {
	for _, of := range w.ResourceSpans {
		life := attributeOf(of.Resource.Attributes, "awhost.run.incarnation")
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				if s.ParentSpanID != "" {
					continue
				}
				episode := attributeOf(s.Attributes, "awhost.episode.id")
				attempt := attributeOf(s.Attributes, "awhost.episode.attempt")
				if sum := sha256.Sum256([]byte(episode + "\x00" + attempt)); s.TraceID != hex.EncodeToString(sum[:16]) {
					return fmt.Sprintf("the trace of attempt %s at %s is %s", attempt, episode, s.TraceID)
				}
				if played[s.TraceID] == nil {
					played[s.TraceID] = map[string]bool{}
				}
				played[s.TraceID][life] = true
			}
		}
	}
	return ""
}
