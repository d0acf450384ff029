package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
)

// problem is an error response.
type problem struct {
	status          int
	summary, detail string
}

// Error implements error.
func (p *problem) Error() string { return p.summary }

func notFound(format string, args ...any) error {
	return &problem{status: http.StatusNotFound, summary: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) error {
	return &problem{status: http.StatusBadRequest, summary: fmt.Sprintf(format, args...)}
}

// problemOf returns the error response for an error.
func problemOf(err error) *problem {
	var p *problem
	var query *index.QueryError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &query):
		return &problem{http.StatusBadRequest, query.Problem, ""}
	case errors.Is(err, runstore.ErrNoRun):
		return &problem{http.StatusNotFound, "no such run", err.Error()}
	case errors.Is(err, index.ErrDamaged):
		return &problem{http.StatusServiceUnavailable, err.Error(), ""}
	}
	detail := err.Error()
	if advice := disk.Advice(err); advice != "" {
		detail += "; " + advice
	}
	summary := "the run cannot be read"
	if errors.Is(err, index.ErrUnwritable) {
		summary = "the viewer cannot write its index"
		detail += ", or start the viewer with another cache directory (XDG_CACHE_HOME)"
	}
	return &problem{http.StatusInternalServerError, summary, detail}
}

// respond writes a value or an error. encoding/json escapes < and > for browsers.
func respond(w http.ResponseWriter, value any, err error) {
	status := http.StatusOK
	if err != nil {
		p := problemOf(err)
		status = p.status
		value = map[string]any{"error": map[string]string{"summary": p.summary, "detail": p.detail}}
	}
	text, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
		text = []byte(`{"error":{"summary":"the answer cannot be written as JSON","detail":""}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have disconnected
}

// shortened quotes and shortens a string from a request for use in a response.
func shortened(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%q…", s[:200])
	}
	return fmt.Sprintf("%q", s)
}

var _ error = (*problem)(nil)
