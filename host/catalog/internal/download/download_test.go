package download_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/catalog/internal/download"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fetch(t *testing.T, ctx context.Context, c download.Config, address string) ([]byte, error) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := c.Fetch(ctx, address, f); err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text, nil
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

func TestFetch_TakesWhatTheServerHas(t *testing.T) {
	want := bytes.Repeat([]byte("plugin"), 100_000)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusFound)
			return
		}
		w.Header().Set("Content-Encoding", "gzip") // some servers send this for every .tar.gz
		_, _ = w.Write(want)
	})
	got, err := fetch(t, t.Context(), download.Config{}, address+"/old")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v; want %d", len(got), err, len(want))
	}
}

func TestFetch_SaysWhatWentWrong(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/private":
			w.WriteHeader(http.StatusForbidden)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("half"))
		case "/cut-chunk":
			_, _ = w.Write([]byte("half"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/large":
			w.Header().Set("Content-Length", "1000000")
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/stall":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	})
	for path, want := range map[string]string{
		"/missing": "404 Not Found", "/private": "awhost sends no credentials", "/cut": "ended after 4 of 1000 bytes",
		"/cut-chunk": "unexpected EOF",
		"/large":     "it has 1000000 bytes", "/endless": "more than 100000 bytes", "/round": "more than 10 redirects",
		"/stall": "nothing arrived for a while",
	} {
		t.Run(strings.Trim(path, "/"), func(t *testing.T) {
			c := download.Config{Bytes: 100_000}
			if path == "/stall" {
				c.Stall = 50 * time.Millisecond
			}
			_, err := fetch(t, t.Context(), c, address+path)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), address+path) {
				t.Errorf("want %q and the address, got %v", want, err)
			}
		})
	}
	if _, err := fetch(t, t.Context(), download.Config{}, "http://127.0.0.1:1/x"); err == nil ||
		!strings.Contains(err.Error(), "connection refused") {
		t.Errorf("no server: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fetch(t, ctx, download.Config{}, address); !errors.Is(err, context.Canceled) {
		t.Errorf("want Canceled, got %v", err)
	}
}

// TestFetch_DoesNotLeaveHTTPS checks that a download over https is not redirected to http, where it could be modified
// in transit.
func TestFetch_DoesNotLeaveHTTPS(t *testing.T) {
	plain := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "malice") })
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, plain, http.StatusFound)
	}))
	defer secure.Close()
	before := http.DefaultTransport
	http.DefaultTransport = secure.Client().Transport
	defer func() { http.DefaultTransport = before }()
	if _, err := fetch(t, t.Context(), download.Config{}, secure.URL); err == nil ||
		!strings.Contains(err.Error(), "which is not https") {
		t.Errorf("got %v", err)
	}
}
