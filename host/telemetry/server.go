package telemetry

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// server serves metrics until close.
type server struct {
	listener net.Listener
	http     *http.Server
	ended    chan struct{}
}

// Bounds of the server. A scrape looks at every open episode: more than a few at a time are somebody's mistake.
const (
	mostScrapes   = 4
	scrapeTimeout = 10 * time.Second
)

// serve listens at an address.
func serve(ctx context.Context, address string, registry *prometheus.Registry) (*server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		EnableOpenMetrics: true, MaxRequestsInFlight: mostScrapes, Timeout: scrapeTimeout,
		ErrorHandling: promhttp.ContinueOnError,
	}))
	s := &server{
		listener: listener, ended: make(chan struct{}),
		http: &http.Server{Handler: mux, ReadHeaderTimeout: scrapeTimeout, IdleTimeout: time.Minute},
	}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(listener) // ends by close
	}()
	return s, nil
}

// url is where the metrics are.
func (s *server) url() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// close ends the server and those scrapes that ctx has no time for.
func (s *server) close(ctx context.Context) {
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	<-s.ended
}
