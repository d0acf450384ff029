package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/runstore/runstoretest"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/host/ui/page"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "a-token"

// site is a server for a running run of four steps.
type site struct {
	*testing.T
	url    string
	writer *runstoretest.Run
	server *Server
	store  *runstore.Store
	run    *runstore.Run
	client *http.Client
}

func newSite(t *testing.T) *site {
	t.Helper()
	ctx := t.Context()
	store := runstore.In(t.TempDir(), runstore.Options{Version: "0.1.0"})
	writer, err := runstoretest.Begin(ctx, store, runstoretest.Shape{Groups: 3, Samples: 4, Tasks: 2, Words: 5})
	check(t, err)
	t.Cleanup(func() { _ = writer.Writer.Close(context.Background()) })
	check(t, writer.Validate(ctx))
	for range 4 {
		check(t, writer.Step(ctx))
	}
	check(t, writer.Validate(ctx))
	run, err := store.Open("")
	check(t, err)
	server := New(Config{
		Store: store, Cache: t.TempDir(), Token: token, Poll: time.Millisecond,
		Private: func(_ context.Context, _ *runstore.Run, e runstore.Episode) (json.RawMessage, error) {
			if e.TaskID != "task-000" {
				return nil, errors.New("the dataset has changed")
			}
			return json.RawMessage(`{"ground_truth":"the-secret"}`), nil
		},
	})
	listening := httptest.NewServer(server.Handler())
	s := &site{T: t, url: listening.URL, writer: writer, server: server, store: store, run: run,
		client: listening.Client()}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		listening.Close()
	})
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ask sends a request as the page does, after change has modified it.
func (s *site) ask(path string, change func(*http.Request)) (*http.Response, []byte) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.url+path, nil)
	check(s.T, err)
	request.Header.Set("Authorization", "Bearer "+token)
	if change != nil {
		change(request)
	}
	response, err := s.client.Do(request)
	check(s.T, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(s.T, err)
	return response, text
}

// get decodes a response into value.
func (s *site) get(path string, value any) {
	s.Helper()
	response, text := s.ask(path, nil)
	if response.StatusCode != http.StatusOK {
		s.Fatalf("%s: %s: %s", path, response.Status, text)
	}
	if err := json.Unmarshal(text, value); err != nil {
		s.Fatalf("%s: %v: %s", path, err, text)
	}
}

// recorded returns the episodes in the journal.
func (s *site) recorded() (all []runstore.Episode) {
	s.Helper()
	for e, err := range s.run.Episodes(s.Context()) {
		check(s.T, err)
		all = append(all, e)
	}
	return all
}

func TestRunSaysWhatTheJournalSays(t *testing.T) {
	s := newSite(t)
	var list struct{ Runs []runLine }
	s.get("/api/runs", &list)
	if len(list.Runs) != 1 || list.Runs[0].Name != "recorded-1" || !list.Runs[0].Live || list.Runs[0].Step != 4 ||
		list.Runs[0].Steps != 40 || list.Runs[0].Adapter != "adapter.local.grpo" || list.Runs[0].DiskBytes == 0 ||
		*list.Runs[0].SuccessAfter != 0.25 {
		t.Errorf("%+v", list.Runs)
	}
	var page runPage
	s.get("/api/runs/recorded-1", &page)
	failed, all := 0, s.recorded()
	for _, e := range all {
		if e.Failure != nil {
			failed++
		}
	}
	if page.Episodes != len(all) || page.Failures["ENVIRONMENT"] != failed || failed == 0 || len(page.Checkpoints) != 4 ||
		page.Stages[0] != (stageLine{"main", 1, 4}) || !slices.Contains(page.Metrics, "train/loss") {
		t.Errorf("%+v", page)
	}
	loss := metricLine{Name: metric.Loss, Label: "loss",
		Meaning: "of the policy, per trained token; smaller is not better"}
	if !slices.Contains(page.About, loss) || len(page.About) > len(page.Metrics) {
		t.Errorf("about its metrics: %+v", page.About)
	}
	if kinds := kindsOf(page.Marks); !slices.Equal(kinds, []string{"start", "stage"}) {
		t.Errorf("marks %v", kinds)
	}
	var curves struct {
		Series map[string][][2]float64
	}
	s.get("/api/runs/recorded-1/metrics?name=train/reward&after=2", &curves)
	if got := fmt.Sprint(curves.Series); got != "map[train/reward:[[3 0.03] [4 0.04]]]" {
		t.Errorf("series %s", got)
	}
	var steps struct{ Steps []stepLine }
	s.get("/api/runs/recorded-1/steps?from=2&to=3", &steps)
	if len(steps.Steps) != 2 || steps.Steps[0].Step != 2 || steps.Steps[0].Episodes != 12 ||
		steps.Steps[0].Seconds["rollout"] != 2 {
		t.Errorf("steps %+v", steps)
	}
	s.checkSums(steps.Steps[0])
	check(t, s.writer.Finish(t.Context()))
	page = runPage{}
	s.get("/api/runs/recorded-1", &page)
	if page.Live || page.Status != runstore.StatusFinished || page.Digest != "sha256:1" || *page.Reward != 0.04 ||
		!slices.Equal(kindsOf(page.Marks), []string{"start", "stage", "end"}) {
		t.Errorf("after its end: %+v, marks %v", page.runLine, page.Marks)
	}
	ended := 0
	for _, n := range page.Outcomes {
		ended += n
	}
	if ended != page.Episodes {
		t.Errorf("outcomes %v, episodes %d", page.Outcomes, page.Episodes)
	}
	var spec struct{ Settings []compare.Setting }
	s.get("/api/runs/recorded-1/spec", &spec)
	if len(spec.Settings) == 0 || spec.Settings[0].Path == "" || !json.Valid(spec.Settings[0].Value) {
		t.Errorf("its spec: %+v", spec)
	}
}

func TestRunHasItsFindings(t *testing.T) {
	s := newSite(t)
	doubt := event.Finding{ID: "cut", Subject: "turns", Severity: event.FindingWarning, Stage: runstoretest.Stage,
		First: 1, Last: 1, Summary: "cut at step 1", Remedy: "raise it", Docs: findings.Page + "#cut"}
	again, fault := doubt, doubt
	again.Last, again.Summary, again.Episodes = 3, "cut at step 3", []string{"e1"}
	fault.ID, fault.Severity, fault.First, fault.Last = "failures", event.FindingError, 4, 4
	for _, f := range []event.Finding{doubt, again, fault} {
		check(t, s.writer.Writer.AppendFinding(t.Context(), runstore.FindingRecord{Finding: f}))
	}
	var page runPage
	s.get("/api/runs/recorded-1", &page)
	if diff := cmp.Diff([]event.Finding{fault, again}, page.Findings, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	unchecked := map[string][]string{}
	for _, rule := range page.NotChecked {
		unchecked[rule.ID] = rule.Needs
	}
	if _, checked := unchecked["reward_divergence"]; checked || !slices.Equal(unchecked["kl_spike"], []string{metric.KL}) {
		t.Errorf("not checked: %v", unchecked)
	}
}

// checkSums checks the totals of a step against the journal.
func (s *site) checkSums(step stepLine) {
	s.Helper()
	malformed, model, tool := 0, 0.0, 0.0
	for _, e := range s.recorded() {
		if e.Slot.Step == step.Step && e.Slot.Split == sdk.SplitTrain {
			malformed += e.Malformed
			model, tool = model+e.Timings.ModelMillis, tool+e.Timings.EnvironmentMillis
		}
	}
	if step.Malformed != malformed || malformed == 0 || math.Abs(step.Parts["model"]-model/1000) > 1e-6 ||
		math.Abs(step.Parts["tool"]-tool/1000) > 1e-6 {
		s.Errorf("%+v; the journal has %d malformed calls, %v ms of models and %v ms of tools", step, malformed, model, tool)
	}
}

func kindsOf(marks []mark) (kinds []string) {
	for _, m := range marks {
		kinds = append(kinds, m.Kind)
	}
	return kinds
}

func TestEpisodes(t *testing.T) {
	s := newSite(t)
	all := s.recorded()
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Episodes []episodeLine
			Next     string
			Total    int
		}
		s.get("/api/runs/recorded-1/episodes?limit=7&cursor="+url.QueryEscape(cursor), &page)
		for _, e := range page.Episodes {
			ids = append(ids, e.ID)
		}
		if cursor = page.Next; cursor == "" || page.Total != len(all) {
			break
		}
	}
	var want []string
	for _, e := range all {
		want = append(want, e.EpisodeID)
	}
	if !slices.Equal(ids, want) {
		t.Errorf("%d episodes in pages, the journal has %d", len(ids), len(want))
	}
	for _, e := range all {
		var page episodePage
		s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(e.EpisodeID), &page)
		siblings := slices.ContainsFunc(page.Siblings, func(o episodeLine) bool { return o.ID == e.EpisodeID })
		if page.Episode.ID != e.EpisodeID || page.Episode.Answer != e.FinalAnswer || page.Episode.Turns != e.NumTurns ||
			!equal(page.Reward.Total, e.Reward) || len(page.Transcripts) != 1 || !siblings ||
			len(page.Transcripts[0].Messages) != len(e.Transcripts[0].Messages) || page.Episode.Standing != e.Standing ||
			len(page.Times) != 8 || page.TimesAre != "spans" || page.Times[2].Turn != 1 ||
			page.Reward.Expression != "reward.math.answer.score * 0.5" {
			t.Errorf("episode %s: %+v", e.EpisodeID, page)
		}
	}
	var found struct{ Episodes []episodeLine }
	s.get("/api/runs/recorded-1/episodes?q=NEEDLE5x&split=train", &found)
	if len(found.Episodes) != 1 || found.Episodes[0].Answer != "<answer>5</answer>" {
		t.Errorf("found %+v", found)
	}
	var passes struct {
		Steps []int
		Tasks []validated
		Total int
	}
	s.get("/api/runs/recorded-1/validations", &passes)
	if fmt.Sprint(passes.Steps) != "[0 4]" || passes.Total != 2 || len(passes.Tasks) != 2 ||
		len(passes.Tasks[0].Episodes) != 2 {
		t.Errorf("validations %+v", passes)
	}
}

// The token records of an update are on the page of its episode. Values that the trainer does not report are missing
// there, or null.
func TestTokens(t *testing.T) {
	s := newSite(t)
	id := s.recorded()[4].EpisodeID
	unknown := float32(math.NaN())
	_, err := s.writer.Writer.AppendTokens(t.Context(), []runstore.TokensRecord{{
		EpisodeID: id, Step: 1, Chain: "c1", IDs: []int32{7, 8}, Texts: []string{"a", "b"}, Trained: []bool{false, true},
		SamplerLogprobs: runstore.Column{unknown, -0.5}, Advantages: runstore.Column{unknown, 2}, Total: 5,
	}})
	check(t, err)
	check(t, s.writer.Writer.Sync(t.Context()))
	var page struct {
		Tokens struct{ Rows []map[string]any }
	}
	s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(id), &page)
	want := map[string]any{
		"launch_id": "", "episode_id": id, "step": 1.0, "chain": "c1", "ids": []any{7.0, 8.0}, "text": []any{"a", "b"},
		"loss_mask": []any{false, true}, "logprobs": []any{nil, -0.5}, "advantages": []any{nil, 2.0}, "total": 5.0,
		"prompt_length": 1.0,
	}
	if diff := cmp.Diff([]map[string]any{want}, page.Tokens.Rows); diff != "" {
		t.Error(diff)
	}
}

func equal(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// The private part of a task is only in the response to its own request.
func TestPrivatePart(t *testing.T) {
	s := newSite(t)
	var id, other string
	for _, e := range s.recorded() {
		if e.TaskID == "task-000" {
			id = e.EpisodeID
		} else {
			other = e.EpisodeID
		}
	}
	path := "/api/runs/recorded-1/episodes/" + url.PathEscape(id)
	var answer struct {
		Private struct {
			GroundTruth string `json:"ground_truth"`
		}
	}
	s.get(path+"/private", &answer)
	if answer.Private.GroundTruth != "the-secret" {
		t.Errorf("%+v", answer)
	}
	for _, path := range []string{path, "/api/runs", "/api/runs/recorded-1", "/api/runs/recorded-1/episodes?q=secret"} {
		if _, text := s.ask(path, nil); strings.Contains(string(text), "the-secret") {
			t.Errorf("%s has the private part", path)
		}
	}
	response, text := s.ask("/api/runs/recorded-1/episodes/"+url.PathEscape(other)+"/private", nil)
	if response.StatusCode != http.StatusConflict || !strings.Contains(string(text), "the dataset has changed") {
		t.Errorf("%s: %s", response.Status, text)
	}
}

// A file contains the page's requests, and no text of a model ends its element.
func TestHTML(t *testing.T) {
	s := newSite(t)
	id := s.recorded()[4].EpisodeID
	for name, excerpt := range map[string]Excerpt{"episode": {Run: "recorded-1", Episode: id},
		"step": {Run: "recorded-1", Step: 2}} {
		page, err := s.server.HTML(t.Context(), excerpt)
		check(t, err)
		before, rest, ok := strings.Cut(string(page), `<script type="application/json" id="awhost-data">`)
		text, after, closed := strings.Cut(rest, "</script>")
		if !ok || !closed || strings.Contains(before, "<script") || strings.Count(after, "<script") != 1 {
			t.Fatalf("%s: the data are not in the expected position: %.2000s", name, page)
		}
		var data map[string]json.RawMessage
		check(t, json.Unmarshal([]byte(text), &data))
		var list episodeList
		check(t, json.Unmarshal(data["GET /api/runs/recorded-1/episodes"], &list))
		if len(list.Episodes) == 0 || list.Total != len(list.Episodes) {
			t.Errorf("%s: %d episodes of %d", name, len(list.Episodes), list.Total)
		}
		for _, e := range list.Episodes {
			var is, want episodePage
			s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(e.ID), &want)
			detail, ok := data["GET /api/runs/recorded-1/episodes/"+e.ID]
			if ok {
				check(t, json.Unmarshal(detail, &is))
			}
			if diff := cmp.Diff(want, is, cmpopts.EquateEmpty()); ok && diff != "" || !ok && (name == "step" || e.ID == id) {
				t.Errorf("%s: episode %s differs from the live page's: %s", name, e.ID, diff)
			}
		}
		for _, must := range []string{`"route":"#/run/recorded-1/` + name, `"GET /api/runs/recorded-1":`} {
			if !strings.Contains(text, must) {
				t.Errorf("%s: it has no %s", name, must)
			}
		}
		for _, never := range []string{"the-secret", token, `src="app.js"`, "<style>@import"} {
			if strings.Contains(string(page), never) {
				t.Errorf("%s: it has %q", name, never)
			}
		}
	}
	for _, excerpt := range []Excerpt{{Run: "recorded-1", Episode: "nothing"}, {Run: "recorded-1", Step: 99},
		{Run: "../recorded-1", Step: 1}} {
		if _, err := s.server.HTML(t.Context(), excerpt); err == nil {
			t.Errorf("%+v is written", excerpt)
		}
	}
}

// Texts of models cannot end an element.
func TestHTML_HostileText(t *testing.T) {
	hostile := "</script><script>alert(1)</script><!--<script>\u2028 </SCRIPT >&lt;\x1b[31m\u202e"
	page, err := inlined(page.Files(), answers{"GET /x": episodeLine{Answer: hostile}})
	check(t, err)
	_, rest, _ := strings.Cut(string(page), `id="awhost-data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var data map[string]episodeLine
	check(t, json.Unmarshal([]byte(text), &data))
	if data["GET /x"].Answer != hostile || strings.ContainsAny(text, "<>&\u2028") {
		t.Errorf("%s", text)
	}
	files := fstest.MapFS{
		"index.html": {Data: []byte(`<meta charset="utf-8" /><link rel="stylesheet" href="app.css" />` +
			`<script src="app.js"></script>`)},
		"app.css": {Data: []byte("a{}")}, "app.js": {Data: []byte("const a = '</ScRiPt>'")},
	}
	if _, err := inlined(files, answers{}); err == nil {
		t.Error("a script that would end itself is put in")
	}
}

func TestCompare(t *testing.T) {
	s := newSite(t)
	var c struct {
		SameDigest bool `json:"same_digest"`
		Metrics    []struct{ Name string }
	}
	s.get("/api/compare?run=recorded-1&run=recorded-1", &c)
	if !c.SameDigest || len(c.Metrics) == 0 {
		t.Errorf("%+v", c)
	}
}

// Requests that do not come from the page get no data, and invalid requests get an explanation.
// A long log begins with a whole line, and bytes that are not UTF-8 do not spoil the answer.
func TestLogEndsWithTheNewestLines(t *testing.T) {
	s := newSite(t)
	log, err := s.writer.Writer.OpenLog("reward.gaia.answer")
	check(t, err)
	t.Cleanup(func() { _ = log.Close() })
	var page struct {
		Text string
		Cut  bool
	}
	get := func() string {
		s.get("/api/runs/recorded-1/log?plugin=reward.gaia.answer", &page)
		return page.Text
	}
	_, err = log.Write([]byte("short \xff\n"))
	check(t, err)
	if text := get(); page.Cut || !strings.HasSuffix(text, "short \ufffd\n") {
		t.Errorf("%+v", page)
	}
	_, err = log.Write([]byte(strings.Repeat("0123456789abcde\n", 10_000) + "the last line\n"))
	check(t, err)
	if text := get(); !page.Cut || len(text) > mostLog || !strings.HasPrefix(text, "0123456789abcde\n") ||
		!strings.HasSuffix(text, "the last line\n") {
		t.Errorf("%d bytes, cut %v: %.30q", len(text), page.Cut, text)
	}
}

func TestHostileRequests(t *testing.T) {
	s := newSite(t)
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	huge := strings.Repeat("9", 5000)
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		status int
	}{
		"no token":           {"/api/runs", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"wrong token":        {"/api/runs", header("Authorization", "Bearer a-tokem"), 401},
		"token in the query": {"/api/runs?token=" + token, func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"foreign host":       {"/api/runs", func(r *http.Request) { r.Host = "evil.example:80" }, 403},
		"host without port":  {"/", func(r *http.Request) { r.Host = "localhost" }, 403},
		"another port":       {"/", func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403},
		"foreign origin":     {"/api/runs", header("Origin", "http://evil.example"), 403},
		"null origin":        {"/api/runs", header("Origin", "null"), 403},
		"foreign site":       {"/api/runs", header("Sec-Fetch-Site", "cross-site"), 403},
		"writing":            {"/api/runs", func(r *http.Request) { r.Method = http.MethodPost }, 405},
		"no such call":       {"/api/nothing", nil, 404},
		"no such file":       {"/../ui.go", nil, 404},
		"path as a run":      {"/api/runs/..%2f..%2fetc", nil, 404},
		"folder as a run":    {"/api/runs/%2e%2e", nil, 404},
		"absolute run":       {"/api/runs/" + url.PathEscape(s.run.Dir), nil, 404},
		"short name":         {"/api/runs/recorded", nil, 404},
		"long name":          {"/api/runs/" + huge, nil, 404},
		"no such episode":    {"/api/runs/recorded-1/episodes/..%2f..%2fjournal", nil, 404},
		"long address":       {"/api/runs?x=" + strings.Repeat("x", 20_000), nil, 414},
		"huge step":          {"/api/runs/recorded-1/episodes?step=" + huge, nil, 400},
		"negative step":      {"/api/runs/recorded-1/episodes?step=-1", nil, 400},
		"huge limit":         {"/api/runs/recorded-1/episodes?limit=1000000", nil, 400},
		"no number":          {"/api/runs/recorded-1/episodes?reward_min=NaN", nil, 400},
		"wrong sort":         {"/api/runs/recorded-1/episodes?sort=name", nil, 400},
		"wrong cursor":       {"/api/runs/recorded-1/episodes?cursor=zz", nil, 400},
		"unknown parameter":  {"/api/runs/recorded-1/episodes?colour=red", nil, 400},
		"given twice":        {"/api/runs/recorded-1/episodes?step=1&step=2", nil, 400},
		"broken text":        {"/api/runs/recorded-1/episodes?q=%ff", nil, 400},
		"a semicolon":        {"/api/runs/recorded-1/episodes?step=1;q=x", nil, 400},
		"broken escape":      {"/api/runs/recorded-1/episodes?q=%zz", nil, 400},
		"none is known":      {"/api/runs/recorded-1/spec?x=1", nil, 400},
		"path as a log":      {"/api/runs/recorded-1/log?plugin=..%2f..%2fjournal%2f0001", nil, 404},
		"no log":             {"/api/runs/recorded-1/log", nil, 404},
		"one run":            {"/api/compare?run=recorded-1", nil, 400},
	} {
		response, text := s.ask(c.path, c.change)
		var answer struct {
			Error struct{ Summary string }
		}
		if response.StatusCode != c.status || json.Unmarshal(text, &answer) != nil || answer.Error.Summary == "" {
			t.Errorf("%s: %s, want %d: %.300s", name, response.Status, c.status, text)
		}
		csp := response.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'") {
			t.Errorf("%s: policy %q", name, csp)
		}
	}
}

// TestConnectionsWithoutTheToken: a connection whose body does not arrive, or that stays idle, ends. A stream of the
// page continues.
func TestConnectionsWithoutTheToken(t *testing.T) {
	s := newSite(t)
	s.server.config.RequestTimeout = time.Second
	listening := httptest.NewUnstartedServer(nil)
	listening.Config = s.server.HTTP()
	listening.Start()
	defer listening.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, listening.URL+"/api/runs/recorded-1/live", nil)
	check(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := listening.Client().Do(request)
	check(t, err)
	defer response.Body.Close()
	for _, head := range []string{
		"GET / HTTP/1.1\r\nContent-Length: 10\r\n", "POST /api/runs HTTP/1.1\r\nContent-Length: 10\r\n", "GET / HTTP/1.1\r\n",
	} {
		conn, err := net.Dial("tcp", listening.Listener.Addr().String())
		check(t, err)
		check(t, conn.SetReadDeadline(time.Now().Add(time.Minute))) // only for the failure of the test
		_, err = fmt.Fprintf(conn, "%sHost: %s\r\n\r\n", head, listening.Listener.Addr())
		check(t, err)
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the connection of %q stays open", head)
		}
		check(t, conn.Close())
	}
	check(t, s.writer.Step(t.Context()))
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "step") {
	}
	if lines.Err() != nil || !strings.Contains(lines.Text(), "step") {
		t.Errorf("the stream of the page ended: %v", lines.Err())
	}
}

func TestFullDiskIsSaidWithWhatToDo(t *testing.T) {
	err := fmt.Errorf("%w: %w", index.ErrUnwritable, &fs.PathError{Op: "write", Path: "/cache/texts", Err: syscall.ENOSPC})
	detail := problemOf(err).detail
	for _, want := range []string{"/cache/texts: no space left", "free some disk space", "XDG_CACHE_HOME"} {
		if !strings.Contains(detail, want) {
			t.Errorf("%q lacks %q", detail, want)
		}
	}
}

func TestPageNeedsNoToken(t *testing.T) {
	s := newSite(t)
	response, text := s.ask("/", func(r *http.Request) { r.Header.Del("Authorization") })
	if response.StatusCode != http.StatusOK || !strings.Contains(string(text), "<html") ||
		!strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%s: %s", response.Status, text)
	}
}

// A watching page is notified which data to request again, and that data is complete.
func TestLive(t *testing.T) {
	s := newSite(t)
	w := s.watch(t.Context())
	id, err := s.writer.Episode(t.Context(), sdk.SplitTrain, 5, 0, 9)
	check(t, err)
	if n := w.next(); n != (notice{"episodes", 5}) {
		t.Errorf("%+v", n)
	}
	var page episodePage
	s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(id), &page)
	if page.Episode.Standing != runstore.Open {
		t.Errorf("%+v", page.Episode)
	}
	check(t, s.writer.Finish(t.Context()))
	w.await("state")
}
