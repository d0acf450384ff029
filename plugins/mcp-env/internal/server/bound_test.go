package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// bound lowers the limits of a server's answers for a test.
func bound(t *testing.T, size int64, pages int) {
	before, beforePages := maxAnswerBytes, maxPages
	maxAnswerBytes, maxPages = size, pages
	t.Cleanup(func() { maxAnswerBytes, maxPages = before, beforePages })
}

// scripted starts an HTTP server of the older era. answer writes the result of a request, or anything else.
func scripted(t *testing.T, answer func(w http.ResponseWriter, method, cursor string) (result string)) Config {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct{ Cursor string }
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Method == "server/discover" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		result := `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		switch {
		case request.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case request.Method != "initialize":
			result = answer(w, request.Method, request.Params.Cursor)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
	}))
	t.Cleanup(s.Close)
	return withLongTimeouts(Config{URL: s.URL})
}

const oneTool = `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`

// flood writes until its reader closes the connection.
func flood(w io.Writer) {
	for _, err := io.WriteString(w, `"`); err == nil; {
		_, err = io.WriteString(w, strings.Repeat("x", 1<<16))
	}
}

func wantTooLarge(t *testing.T, err error, method string) {
	t.Helper()
	wrong := (*WrongAnswer)(nil)
	if !errors.As(err, &wrong) || wrong.Method != method || !strings.Contains(err.Error(), "more than 1000000 bytes") {
		t.Errorf("got %v", err)
	}
}

// At most the limit of an endless answer is read, for all kinds of answers.
func TestConn_ReadsNoAnswerWithoutEnd(t *testing.T) {
	bound(t, 1e6, 20)
	t.Run("line", func(t *testing.T) {
		_, err := Connect(t.Context(), withLongTimeouts(Config{Command: []string{"sh", "-c", "yes | tr -d '\\n'"}}), "")
		wantTooLarge(t, err, "initialize")
	})
	t.Run("pages", func(t *testing.T) {
		pages := 0
		_, err := Connect(t.Context(), scripted(t, func(http.ResponseWriter, string, string) string {
			pages++
			return fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, pages)
		}), "")
		wantTooLarge(t, err, "tools/list")
		if pages != 21 {
			t.Errorf("%d pages were asked for", pages)
		}
	})
	t.Run("body", func(t *testing.T) {
		conn := connect(t, scripted(t, func(w http.ResponseWriter, method, _ string) string {
			if method == "tools/call" {
				flood(w)
			}
			return oneTool
		}))
		_, err := conn.Call(t.Context(), "t", []byte(`{}`))
		wantTooLarge(t, err, "tools/call")
	})
	t.Run("events", func(t *testing.T) {
		conn := connect(t, scripted(t, func(w http.ResponseWriter, method, _ string) string {
			if method == "tools/call" {
				w.Header().Set("Content-Type", "text/event-stream")
				flood(w)
			}
			return oneTool
		}))
		_, err := conn.Call(t.Context(), "t", []byte(`{}`))
		wantTooLarge(t, err, "tools/call")
	})
}

func TestConnect_TakesNoToolTwice(t *testing.T) {
	_, err := Connect(t.Context(), scripted(t, func(http.ResponseWriter, string, string) string {
		return `{"tools":[{"name":"t","inputSchema":{"type":"object"}},{"name":"t","inputSchema":{"type":"object"}}]}`
	}), "")
	const want = `two tools are called "t"`
	if wrong := (*WrongAnswer)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}
