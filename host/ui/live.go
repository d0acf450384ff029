package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// notice tells the page which data to request again.
type notice struct {
	Kind string `json:"kind"` // state, step, episodes, plugin
	Step int    `json:"step,omitempty"`
}

const (
	keepAliveInterval = 15 * time.Second // a keep-alive is sent after this time without an event
	pollsPerState     = 4                // journal polls per check of the run's state
)

// live sends a run's changes as server-sent events until the client disconnects.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	if p := paramsOf(r); p.err != nil {
		respond(w, nil, p.err)
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		respond(w, nil, &problem{http.StatusTooManyRequests, "too many pages watch at once", "close some of them"})
		return
	}
	b, done, err := s.indexes.open(r)
	if err != nil {
		respond(w, nil, err)
		return
	}
	defer done()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ended, cancel)()
	w.Header().Set("Content-Type", "text/event-stream")
	out := &stream{w: w, control: http.NewResponseController(w), last: time.Now()}
	if out.comment("open") == nil {
		s.follow(ctx, b, out)
	}
}

// follow polls a run.
func (s *Server) follow(ctx context.Context, b *entry, out *stream) {
	tick := time.NewTicker(s.config.Poll)
	defer tick.Stop()
	seen, state := b.totals(), stateOf(ctx, b)
	for looks := 1; ; looks++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := b.refresh(ctx, s.indexes.cache); err != nil {
			_ = out.send(notice{Kind: "state"}) // the error is reported to the next request
			return
		}
		now := b.totals()
		notices := changed(seen, now)
		seen = now
		if looks%pollsPerState == 0 || len(notices) > 0 {
			if is := stateOf(ctx, b); is != state {
				state = is
				notices = append(notices, notice{Kind: "state"})
			}
		}
		for _, n := range notices {
			if out.send(n) != nil {
				return
			}
		}
		if time.Since(out.last) > keepAliveInterval && out.comment("still here") != nil {
			return
		}
	}
}

// stateOf returns the part of a run's state that pages show.
func stateOf(ctx context.Context, b *entry) string {
	summary, err := b.summary(ctx)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(summary.Status, summary.OwnerAlive, summary.Trainer, summary.Stage)
}

// changed returns the notices for new records.
func changed(was, is totals) (notices []notice) {
	more := func(types ...runstore.Type) bool {
		for _, t := range types {
			if is.types[t] != was.types[t] {
				return true
			}
		}
		return is.replaced != was.replaced
	}
	if more(runstore.TypeEpisode) {
		notices = append(notices, notice{"episodes", is.step})
	}
	if more(runstore.TypeStep, runstore.TypeMetrics, runstore.TypeValidation, runstore.TypeCommit, runstore.TypeFinding) {
		notices = append(notices, notice{"step", is.step})
	}
	if more(runstore.TypeEvent) {
		notices = append(notices, notice{Kind: "plugin"})
	}
	if more(runstore.TypeIncarnation, runstore.TypeLaunch, runstore.TypeFinish) {
		notices = append(notices, notice{Kind: "state"})
	}
	return notices
}

// stream writes events to a client, which may have disconnected.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    time.Time
}

func (s *stream) send(n notice) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return s.write("data: " + string(text) + "\n\n")
}

func (s *stream) comment(text string) error { return s.write(": " + text + "\n\n") }

func (s *stream) write(text string) error {
	s.last = time.Now()
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}
