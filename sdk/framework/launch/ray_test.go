package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRay_RealCluster submits to a real cluster.
func TestRay_RealCluster(t *testing.T) {
	address := os.Getenv("AWHOST_RAY")
	if address == "" {
		t.Skip("SKIPPED: set AWHOST_RAY to the dashboard of a Ray on this machine; .ci/frameworks/ray starts one")
	}
	l, other := NewRay(RayOptions{Address: address}), NewRay(RayOptions{Address: address + "/"})
	if _, err := l.Version(t.Context()); err != nil {
		t.Fatal(err)
	}
	testLauncher(t, l, other)
	t.Run("a second submission finds the first job", func(t *testing.T) { testOneOnly(t, l, other) })
}

// scripted is a cluster that answers as it was told to: by method and path, in order, the last answer for ever.
type scripted struct {
	t       *testing.T
	answers map[string][]answer
	seen    []*http.Request
	bodies  []string
}

type answer struct {
	code int
	body string
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body strings.Builder
	var v any
	if json.NewDecoder(r.Body).Decode(&v) == nil {
		_ = json.NewEncoder(&body).Encode(v)
	}
	s.seen, s.bodies = append(s.seen, r), append(s.bodies, body.String())
	key := r.Method + " " + r.URL.Path
	list := s.answers[key]
	if len(list) == 0 {
		s.t.Errorf("unexpected request: %s", key)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if len(list) > 1 {
		s.answers[key] = list[1:]
	}
	w.WriteHeader(list[0].code)
	fmt.Fprint(w, list[0].body)
}

// newScripted starts a cluster, and a launcher for it.
func newScripted(t *testing.T, answers map[string][]answer) (*scripted, *Ray) {
	t.Helper()
	s := &scripted{t: t, answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, NewRay(RayOptions{Address: server.URL})
}

var rayTestJob = Job{LaunchID: "run.i1", Argv: []string{"python", "-m", "verl", "a='b c'"}, Dir: "/runs/it's", Env: map[string]string{"A": "b"}, LogFile: "/x", Patience: 7 * time.Second}

const (
	submitPath = "POST /api/jobs/"
	getPath    = "GET /api/jobs/awhost-run.i1"
	stopPath   = "POST /api/jobs/awhost-run.i1/stop"
	logsPath   = "GET /api/jobs/awhost-run.i1/logs"
)

func TestRay_WhatIsSubmitted(t *testing.T) {
	s, _ := newScripted(t, map[string][]answer{submitPath: {{200, `{"submission_id":"awhost-run.i1"}`}}})
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	r := NewRay(RayOptions{Address: server.URL, TokenFile: token, RuntimeEnv: map[string]any{"py_executable": "/py"}})
	if _, err := r.Start(t.Context(), rayTestJob); err != nil {
		t.Fatal(err)
	}
	var got raySubmission
	if err := json.Unmarshal([]byte(s.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	if want := `cd '/runs/it'\''s' && exec 'python' '-m' 'verl' 'a='\''b c'\'''`; got.Entrypoint != want {
		t.Errorf("entrypoint %s, want %s", got.Entrypoint, want)
	}
	vars, _ := got.RuntimeEnv["env_vars"].(map[string]any)
	if vars["A"] != "b" || vars["AWHOST_LAUNCH"] != "run.i1" || vars["RAY_JOB_STOP_SIGNAL"] != "SIGINT" || vars["RAY_JOB_STOP_WAIT_TIME_S"] != "7" || len(vars) != 4 {
		t.Errorf("variables %v", vars)
	}
	if got.RuntimeEnv["py_executable"] != "/py" || got.Metadata[launchKey] != "run.i1" || got.SubmissionID != "awhost-run.i1" {
		t.Errorf("submission %+v", got)
	}
	if got := s.seen[0].Header.Get("Authorization"); got != "Bearer s3cret" {
		t.Errorf("authorization %q", got)
	}
	if strings.Contains(s.bodies[0], "s3cret") {
		t.Error("the token is in the job")
	}
}

func TestRay_StartFindsWhatIsThere(t *testing.T) {
	mine := answer{200, `{"status":"RUNNING","metadata":{"awhost_launch":"run.i1"}}`}
	for name, test := range map[string]struct {
		answers     map[string][]answer
		wantErr     string
		unreachable bool
	}{
		"refused as a duplicate": {answers: map[string][]answer{
			submitPath: {{500, "Traceback (most recent call last):\nRuntimeError: Request failed with status code 400: ValueError: already exists."}}, getPath: {mine},
		}},
		"the answer was lost": {answers: map[string][]answer{submitPath: {{504, "gateway"}}, getPath: {mine}}},
		"somebody else's": {
			answers: map[string][]answer{submitPath: {{500, "already exists"}}, getPath: {{200, `{"status":"RUNNING","metadata":{}}`}}}, wantErr: "belongs to",
		},
		"not now": {
			answers: map[string][]answer{submitPath: {{500, "No available agent to submit job"}}, getPath: {{404, "does not exist"}}}, wantErr: "No available agent", unreachable: true,
		},
		"refused": {
			answers: map[string][]answer{
				submitPath: {{500, "Traceback (most recent call last):\nRuntimeError: Request failed with status code 400: ValueError: bad runtime_env"}}, getPath: {{404, ""}},
			}, wantErr: "bad runtime_env",
		},
		"a token is wanted": {answers: map[string][]answer{submitPath: {{401, "no"}}, getPath: {{401, "no"}}}, wantErr: "token_file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, r := newScripted(t, test.answers)
			h, err := r.Start(t.Context(), rayTestJob)
			if test.wantErr == "" {
				if err != nil || h.ID != "awhost-run.i1" || h.Launch != "run.i1" {
					t.Errorf("%+v, %v", h, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.wantErr) || errors.Is(err, ErrUnreachable) != test.unreachable {
				t.Errorf("%v; want %q, unreachable %v", err, test.wantErr, test.unreachable)
			}
		})
	}
}

func TestRay_Status(t *testing.T) {
	for name, test := range map[string]struct {
		answer answer
		want   string
		state  State
		err    error
	}{
		"waiting":   {answer{200, `{"status":"PENDING","message":"Job has not started yet."}`}, "waiting (Job has not started yet.)", Pending, nil},
		"running":   {answer{200, `{"status":"RUNNING"}`}, "running", Running, nil},
		"succeeded": {answer{200, `{"status":"SUCCEEDED","driver_exit_code":0}`}, "exit status 0", Ended, nil},
		"failed":    {answer{200, `{"status":"FAILED","driver_exit_code":1,"message":"it broke\nlog"}`}, "exit status 1 (Ray: failed: it broke)", Ended, nil},
		"stopped":   {answer{200, `{"status":"STOPPED"}`}, "an unknown exit status (Ray: stopped: )", Ended, nil},
		"gone":      {answer{404, "Job does not exist"}, "an unknown exit status (Ray knows the job no longer: its cluster was ended, or started anew)", Ended, nil},
		"away":      {answer{503, "starting"}, "", 0, ErrUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			_, r := newScripted(t, map[string][]answer{getPath: {test.answer}})
			s, err := r.Status(t.Context(), r.handle(rayTestJob))
			if !errors.Is(err, test.err) {
				t.Fatalf("%v, want %v", err, test.err)
			}
			if err == nil && (s.String() != test.want || s.State != test.state) {
				t.Errorf("%s, want %s", s, test.want)
			}
		})
	}
}

func TestRay_NobodyListens(t *testing.T) {
	r := NewRay(RayOptions{Address: "http://127.0.0.1:1"})
	if _, err := r.Status(t.Context(), r.handle(rayTestJob)); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := r.Start(ctx, rayTestJob); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
}

func TestRay_StopWaitsForTheEnd(t *testing.T) {
	running := answer{200, `{"status":"RUNNING"}`}
	s, r := newScripted(t, map[string][]answer{getPath: {running, running, {200, `{"status":"STOPPED"}`}}, stopPath: {{200, `{"stopped":true}`}}})
	if err := r.Stop(t.Context(), r.handle(rayTestJob), time.Second); err != nil {
		t.Fatal(err)
	}
	if len(s.seen) < 4 {
		t.Errorf("%d requests: it did not wait for the end", len(s.seen))
	}
}

func TestRay_LogsGoOnWhereTheFileEnds(t *testing.T) {
	_, r := newScripted(t, map[string][]answer{logsPath: {{200, `{"logs":"one\n"}`}, {200, `{"logs":"one\ntwo\n"}`}, {500, "away"}, {200, `{"logs":"one"}`}}})
	h := r.handle(rayTestJob)
	h.LogFile = filepath.Join(t.TempDir(), "log")
	for _, want := range []string{"one\n", "one\ntwo\n"} {
		if err := r.Logs(t.Context(), h, true); err != nil {
			t.Fatal(err)
		}
		if got := read(h.LogFile); got != want {
			t.Errorf("log %q, want %q", got, want)
		}
		r = NewRay(RayOptions{Address: r.api.address}) // another life
	}
	if err := r.Logs(t.Context(), h, true); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
	if err := r.Logs(t.Context(), h, true); !errors.Is(err, errShorter) {
		t.Errorf("%v, want errShorter", err)
	}
	if err := r.Logs(t.Context(), h, false); err != nil {
		t.Errorf("it is not time for another look yet: %v", err)
	}
}
