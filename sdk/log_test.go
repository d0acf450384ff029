package sdk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/slogtest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func decodeLine(t *testing.T, line string) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatalf("%q is not a JSON object: %v", line, err)
	}
	return fields
}

// nestGroups reverses the dotted group names, and renames the built-in fields to slogtest's names.
func nestGroups(fields map[string]any) map[string]any {
	out := map[string]any{}
	builtin := map[string]string{"@message": slog.MessageKey, "@level": slog.LevelKey, "@timestamp": slog.TimeKey}
	for key, value := range fields {
		if name, ok := builtin[key]; ok {
			out[name] = value
			continue
		}
		at := out
		path := strings.Split(key, ".")
		for _, group := range path[:len(path)-1] {
			inner, ok := at[group].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[group] = inner
			}
			at = inner
		}
		at[path[len(path)-1]] = value
	}
	return out
}

// The logger's handler must pass the standard library's checks.
func TestLogger_IsASlogHandler(t *testing.T) {
	var out bytes.Buffer
	slogtest.Run(t, func(*testing.T) slog.Handler {
		out.Reset()
		return sdk.NewLogger(&out).Handler()
	}, func(t *testing.T) map[string]any { return nestGroups(decodeLine(t, out.String())) })
}

func TestLogger_WritesOneLinePerRecord(t *testing.T) {
	var out bytes.Buffer
	log := sdk.NewLogger(&out)
	log.Warn("two\nlines \x1b[2J", "error", errors.New("broken"), "took", 1500*time.Millisecond, "loss", math.NaN(),
		"peak", math.Inf(1),
		"channel", make(chan int), "nothing", nil, "list", []int{1, 2}, "bytes", "\xff")
	if n := strings.Count(out.String(), "\n"); n != 1 || !strings.HasSuffix(out.String(), "\n") {
		t.Fatalf("%d lines: %q", n, out.String())
	}
	got := decodeLine(t, out.String())
	delete(got, "@timestamp")
	if channel, _ := got["channel"].(string); !strings.HasPrefix(channel, "0x") {
		t.Errorf("the channel is %v", got["channel"])
	}
	delete(got, "channel")
	want := map[string]any{
		"@level": "warn", "@message": "two\nlines \x1b[2J", "error": "broken", "took": "1.5s", "loss": "NaN", "peak": "+Inf",
		"nothing": nil, "list": []any{1.0, 2.0}, "bytes": "\ufffd",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
