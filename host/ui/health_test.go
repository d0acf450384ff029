package ui

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/processes"
)

// The usage of a plugin is the sum over its processes and their descendants. A reused process number counts from
// zero.
func TestHealth_SumsUpWhatDescends(t *testing.T) {
	began := time.Now()
	tree := func(root time.Time, cpu float64) []processes.Process {
		return []processes.Process{
			{PID: 7, RSS: 100, CPU: cpu, Started: root}, {PID: 9, Parent: 7, RSS: 10, CPU: 1, Started: began},
		}
	}
	h := newHealth(nil)
	var first, second, soon, other pluginLine
	h.measure(&first, tree(began, 3), began)
	h.measure(&second, tree(began, 4), began.Add(2*time.Second))
	h.measure(&soon, tree(began, 4.5), began.Add(2*time.Second+processes.Soonest/2))
	h.measure(&other, tree(began.Add(time.Second), 1), began.Add(4*time.Second))
	if first.RSSBytes != 110 || first.CPUSeconds != 4 || first.PID != 7 || first.CPUPercent != nil {
		t.Errorf("first look: %+v", first)
	}
	if second.CPUPercent == nil || *second.CPUPercent != 50 {
		t.Errorf("second look: %+v", second)
	}
	if soon.CPUPercent == nil || *soon.CPUPercent != 50 {
		t.Errorf("a look too soon shows the last share: %+v", soon)
	}
	if other.CPUPercent != nil {
		t.Errorf("another process: %+v", other)
	}
}

func TestRun_SaysWhatItsPluginsUse(t *testing.T) {
	s := newSite(t)
	ask := func(context.Context, *runstore.Run) ([]Process, error) {
		return []Process{{Address: "environment.calculator.desk", PID: os.Getpid()}, {Address: "not.on.record", PID: 1}}, nil
	}
	server := New(Config{Store: s.store, Cache: t.TempDir(), Processes: ask})
	defer server.Close()
	page := runPage{runLine: runLine{Live: true}, Plugins: []pluginLine{{Address: "environment.calculator.desk"}}}
	server.health.add(t.Context(), &page, s.run)
	if p := page.Plugins[0]; p.PID != os.Getpid() || p.RSSBytes == 0 || p.Started.IsZero() {
		t.Errorf("%+v", p)
	}
	for name, change := range map[string]func(*runPage, *health){
		"over": func(p *runPage, _ *health) { p.Live = false },
		"silent": func(_ *runPage, h *health) {
			h.processes = func(context.Context, *runstore.Run) ([]Process, error) { return nil, errors.New("gone") }
		},
	} {
		page := runPage{runLine: runLine{Live: true}, Plugins: []pluginLine{{Address: "environment.calculator.desk"}}}
		change(&page, server.health)
		server.health.add(t.Context(), &page, s.run)
		if page.Plugins[0].PID != 0 {
			t.Errorf("%s: %+v", name, page.Plugins[0])
		}
	}
}
