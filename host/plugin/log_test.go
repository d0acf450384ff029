package plugin_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/plugin"
)

func TestNewLog_HandsOnWhatIsSaidFromInfoOn(t *testing.T) {
	var got []string
	log := plugin.NewLog("reward.x.y", func(level, source, message string, fields map[string]string) {
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join([]string{level, source, message, string(text)}, " "))
	})
	log.Debug("not this")
	log.With("a", 1).WithGroup("g").With("b", 2).Warn("that", "c", 3)
	log.Info("plain")
	log.Log(t.Context(), slog.LevelError+4, "worse")
	want := []string{
		`warn reward.x.y that {"a":"1","g.b":"2","g.c":"3"}`, `info reward.x.y plain {}`, `error reward.x.y worse {}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
