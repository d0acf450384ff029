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

// server serves metrics until close is called.
type server struct {
	listener net.Listener
	http     *http.Server
	ended    chan struct{}
}

// Limits of the server. A scrape inspects every open episode; more than a few concurrent scrapes are a
// misconfiguration.
const (
	mostScrapes   = 4
	scrapeTimeout = 10 * time.Second
)

// serve starts a server that listens on an address.
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
		http: &http.Server{
			Handler: withoutPages(mux, listener.Addr()), MaxHeaderBytes: 64 << 10,
			ReadTimeout: scrapeTimeout, WriteTimeout: 2 * scrapeTimeout, IdleTimeout: time.Minute,
		},
	}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(listener) // returns after close
	}()
	return s, nil
}

// withoutPages rejects requests from pages in browsers: those with an Origin and, on loopback, those to another name,
// which a page can resolve to this address.
func withoutPages(next http.Handler, bound net.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		local := name == "localhost" || net.ParseIP(name).IsLoopback()
		if r.Header.Get("Origin") != "" || !local && bound.(*net.TCPAddr).IP.IsLoopback() {
			http.Error(w, "metrics are not served to browser pages: use localhost or 127.0.0.1, or set listen",
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// url is the address of the metrics.
func (s *server) url() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// close stops the server. When ctx is done, it aborts the scrapes in progress.
func (s *server) close(ctx context.Context) {
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	<-s.ended
}
