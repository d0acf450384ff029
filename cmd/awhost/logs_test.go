package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

func TestLogs_SayThatNothingWasWritten(t *testing.T) {
	r := &runstore.Run{Info: runstore.Info{Name: "quick", Number: 1}, Dir: t.TempDir()}
	if err := os.MkdirAll(filepath.Dir(r.LogPath("x")), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"reward.a.b": "", "env.a.b": "", "adapter.a.b": "a line\n"} {
		if err := os.WriteFile(r.LogPath(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		names     []string
		out, told string
	}{
		{nil, "", "no plugin of quick-1 has output\n"},
		{[]string{"reward.a.b", "env.a.b"}, "", "no plugin of quick-1 has output\n"},
		{[]string{"reward.a.b"}, "", "reward.a.b has no output in quick-1\n"},
		{[]string{"reward.a.b", "adapter.a.b"}, "adapter.a.b | a line\n", ""},
	} {
		var out, told bytes.Buffer
		a := &app{out: text.NewOutput(&out), err: text.NewOutput(&told)}
		if err := a.printLogs(r, c.names); err != nil || out.String() != c.out || told.String() != c.told {
			t.Errorf("%s: %v, %q, %q", strings.Join(c.names, ", "), err, out.String(), told.String())
		}
	}
}
