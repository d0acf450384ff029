package mcpenv_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
)

// notesServer returns a server block whose server keeps its notes in a file.
func notesServer(file string, more object) object {
	server := stdio(mcptest.Modern, more)
	server["env"].(map[string]string)["MCPTEST_FILE"] = file
	return server
}

// Concurrent episodes do not see each other's files, unless they share a folder on purpose.
func TestEnvironment_SeparatesFilesOfEpisodes(t *testing.T) {
	const own, both = "mine,", "mine,yours,"
	for name, c := range map[string]struct {
		server object
		want   string
	}{
		"a relative path":      {notesServer("notes", object{"warm": 0}), own},
		"with a process ahead": {notesServer("notes", object{"warm": 1}), own},
		"with processes ahead": {notesServer("notes", object{"warm": 3}), own},
		"a variable":           {notesServer("{{session.dir}}/notes", object{"cwd": "."}), own},
		"a folder below": {
			notesServer("notes", object{"cwd": "{{session.dir}}/work/{{task.id}}", "warm": 0}), own,
		},
		"a name for each episode":   {notesServer("notes-{{episode.id}}", object{"cwd": ".", "warm": 0}), own},
		"the folder of the spec":    {notesServer("notes", object{"cwd": "."}), both},
		"the name of a task":        {notesServer("{{task.id}}-{{episode.seed}}", object{"cwd": ".", "warm": 0}), both},
		"a shared server":           {notesServer("notes", object{"session": "shared"}), both},
		"a folder for each task":    {notesServer("notes", object{"cwd": "tasks/{{task.id}}", "warm": 0}), both},
		"a variable and a constant": {notesServer("{{session.dir}}/{{task.level.n}}", object{"warm": 0}), own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.MkdirAll("tasks/t1", 0o700); err != nil {
				t.Fatal(err)
			}
			r := newRig(t, object{"server": object{"a": c.server}})
			for _, episode := range []string{"e1", "e2"} {
				r.open(episode)
			}
			r.call("e1", "note", `{"text":"mine"}`)
			r.call("e2", "note", `{"text":"yours"}`)
			if got := r.call("e1", "notes", `{}`).Content; got != c.want {
				t.Errorf("the first episode reads %q, want %q", got, c.want)
			}
		})
	}
}

// A process starts in an empty folder that only its owner can read. The folder is removed after the episode, after a
// kill of the process, and after a kill of the plugin.
func TestEnvironment_RemovesPrivateFolders(t *testing.T) {
	dir := t.TempDir()
	servers := filepath.Join(dir, "servers")
	if err := os.MkdirAll(filepath.Join(servers, "left", "locked"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(servers, "left", "locked"), 0); err != nil {
		t.Fatal(err)
	}
	folders := func() (found []string) {
		t.Helper()
		entries, err := os.ReadDir(servers)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || info.Mode() != fs.ModeDir|0o700 {
				t.Errorf("%v, %v", info, err)
			}
			found = append(found, e.Name())
		}
		return found
	}
	config, err := json.Marshal(object{"server": object{"a": notesServer("notes", object{
		"cwd": "{{session.dir}}", "session": "episode", "connect_timeout": "1m", "call_timeout": "1m", "idle_timeout": "1m",
	})}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := mcpenv.Plugin().Environments[0].New(t.Context(), sdk.Setup{
		Config: config, Dir: dir, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := folders(); len(got) != 1 || got[0] == "left" {
		t.Errorf("with the first process there are the folders %q", got)
	}
	r := &rig{TB: t, Environment: e}
	r.open("e1")
	r.open("e2")
	r.call("e1", "note", `{"text":"mine"}`)
	pid, _, _ := strings.Cut(r.call("e2", "who", `{}`).Content, " ")
	if got := folders(); len(got) != 2 {
		t.Errorf("two episodes have the folders %q", got)
	}
	r.close("e1")
	if got := folders(); len(got) != 1 {
		t.Errorf("one episode has the folders %q", got)
	}
	id, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.close("e2")
	if got := folders(); len(got) != 0 {
		t.Errorf("after the episodes there are the folders %q", got)
	}
	if err := e.(sdk.Stopper).Stop(context.WithoutCancel(t.Context()), func(string) {}); err != nil {
		t.Fatal(err)
	}
}

// Command elements that name something in the spec's folder are resolved there, and a program is found in PATH.
func TestEnvironment_CommandsNameFilesOfTheSpec(t *testing.T) {
	spec, elsewhere := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"start.sh": "printf '%s\\n' \"$@\" >\"$OUT\"; exec \"$SERVER\"\n", "sh": "exit 1", "data/a": "",
	} {
		path := filepath.Join(spec, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(elsewhere)
	out := filepath.Join(t.TempDir(), "out")
	server := stdio(mcptest.Modern, object{"cwd": spec + "/{{ session.dir }}", "warm": 0})
	program := server["command"].([]string)[0]
	server["command"] = []string{"sh", "start.sh", "data", "data/b", ".", "-x", "{{task.id}}", "{{ session.dir}}/a"}
	server["env"].(map[string]string)["SERVER"], server["env"].(map[string]string)["OUT"] = program, out
	given := func() []string {
		t.Helper()
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		folder, found := strings.CutSuffix(lines[len(lines)-1], "/a")
		if !found || !filepath.IsAbs(folder) || strings.HasPrefix(folder, spec) {
			t.Errorf("the private folder is %q", folder)
		}
		return lines[:len(lines)-1]
	}
	r := newRig(t, object{"server": object{"a": server}})
	want := []string{spec + "/data", "data/b", ".", "-x", "0"}
	if diff := cmp.Diff(want, given()); diff != "" {
		t.Errorf("the process that lists the tools (-want +got): %s", diff)
	}
	r.open("e1")
	r.call("e1", "add", `{"a":1,"b":2}`)
	want[4] = "t1"
	if diff := cmp.Diff(want, given()); diff != "" {
		t.Errorf("the process of an episode (-want +got): %s", diff)
	}
	r.close("e1")
}

// A task without the value of a placeholder, or with a path outside of the working directory, fails its episode.
func TestEnvironment_RefusesTasksThatDoNotFit(t *testing.T) {
	for cwd, want := range map[string]string{
		"tasks/{{task.none}}": "{{task.none}}: the task t1 has no public field of that name",
		"tasks/{{task.up}}":   `{{task.up}}: "../.." is not a path below cwd`,
	} {
		r := newRig(t, object{"server": object{"a": stdio(mcptest.Modern, object{"cwd": cwd, "warm": 0})}})
		_, err := r.Open(t.Context(), sdk.OpenRequest{
			EpisodeID: "e1", Task: sdk.Task{ID: "t1", Public: []byte(`{"prompt":"?","up":"../.."}`)},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.try("e1", calling("add", `{"a":1}`))
		var failure *sdk.Failure
		if !errors.As(err, &failure) || failure.Class != sdk.FailureEnvironment || !strings.Contains(failure.Detail, want) {
			t.Errorf("%s: %v, want %q", cwd, err, want)
		}
	}
}

// Unavailable placeholders of a server block are reported before anything starts. Variables are not quoted: they may
// be secret.
func TestValidate_ChecksPlaceholdersOfServers(t *testing.T) {
	validate := mcpenv.Plugin().Environments[0].Validate
	for _, c := range [][2]string{
		{`"command": ["x", "{{session.dir}}"], "env": {"A": "{{session.dir}}/a"}, "warm": 1`, ""},
		{`"command": ["x", "{{episode.id}}"], "env": {"A": "{{task.a.b}}"}, "warm": 0`, ""},
		{`"command": ["x"], "cwd": "/spec/{{session.dir}}", "session": "shared", "warm": 1`, ""},
		{`"command": ["x", "y {{episode.seed}}"], "warm": 1`,
			"command.1: {{episode.seed}} is unknown to processes that start ahead of need: write warm = 0"},
		{`"command": ["x"], "env": {"A": "{{task.id}}"}, "session": "shared"`,
			"env.A: {{task.id}} differs between episodes, which share the server: write session = \"episode\""},
		{`"command": ["x"], "env": {"A": "{{session.dir}}"}, "session": "shared"`,
			"env.A: {{session.dir}} is private to an episode, and all episodes share the server: name a folder"},
		{`"command": ["x"], "cwd": "/a/{{task.private.answer}}"`,
			"cwd: {{task.private.answer}} is private: pass it to the server in a call of setup"},
		{`"command": ["x", "{{episode.dir}}"]`,
			"command.1: unknown placeholder {{episode.dir}}: write {{session.dir}}, "},
		{`"command": ["x"], "env": {"A": "{{.ID}}", "B": "b"}`,
			"env.A: unknown placeholder {{.ID}}: write {{session.dir}}, "},
		{`"command": ["x"], "env": {"A": "secret {{secret"}`,
			"env.A: {{ does not start a placeholder here: write {{NAME}}"},
	} {
		server, want := c[0], c[1]
		found := validate(t.Context(), []byte(`{"server": {"a": {`+server+`}}}`))
		var got []string
		for _, d := range found {
			at := strings.TrimPrefix(strings.Join(d.Path, "."), "server.a.")
			got = append(got, at+": "+strings.TrimPrefix(d.Detail, `Server "a": `))
		}
		if len(got) > 1 || (len(got) == 0) != (want == "") || len(got) == 1 && !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: got %q, want %q", server, got, want)
		}
		if strings.Contains(strings.Join(got, ""), "secret") {
			t.Errorf("%q quotes a variable", got)
		}
	}
}
