package ui

import (
	"net/http"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/view/result"
)

// compare returns the result of `awhost compare --json`.
func (s *Server) compare(r *http.Request) (any, error) {
	p := paramsOf(r, "run")
	names := p.values["run"]
	if len(names) != 2 {
		p.fail("%d runs are specified: specify two, as in run=a&run=b", len(names))
	}
	if p.err != nil {
		return nil, p.err
	}
	a, done, err := s.indexes.openNamed(r.Context(), names[0])
	if err != nil {
		return nil, err
	}
	defer done()
	b, alsoDone, err := s.indexes.openNamed(r.Context(), names[1])
	if err != nil {
		return nil, err
	}
	defer alsoDone()
	for _, side := range []*entry{a, b} {
		if _, err := side.summary(r.Context()); err != nil { // reads the journal of a run that has just ended to its end
			return nil, err
		}
	}
	c, err := compare.Runs(a.index.Run(), b.index.Run())
	if err != nil {
		return nil, err
	}
	return result.ComparisonOf(c, true), nil
}

// spec returns a run's resolved settings.
func (s *Server) spec(r *http.Request) (any, error) {
	if p := paramsOf(r); p.err != nil {
		return nil, p.err
	}
	run, err := s.indexes.find(r.PathValue("run"))
	if err != nil {
		return nil, err
	}
	settings, err := compare.Settings(run)
	return map[string]any{"settings": settings}, err
}

// waits returns the result of `awhost stuck --json`.
func (s *Server) waits(r *http.Request) (any, error) {
	if p := paramsOf(r); p.err != nil {
		return nil, p.err
	}
	run, err := s.indexes.find(r.PathValue("run"))
	if err != nil {
		return nil, err
	}
	if s.config.Waits == nil {
		return nil, notFound("the hosts of runs cannot be asked here")
	}
	return s.config.Waits(r.Context(), run)
}
