package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/runstore/runstoretest"
	"github.com/awhost/awhost/sdk"
)

// watching is an open stream of a run.
type watching struct {
	*site
	lines *bufio.Scanner
}

func (s *site) watch(ctx context.Context) *watching {
	s.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/runs/recorded-1/live", nil)
	check(s.T, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := s.client.Do(request)
	check(s.T, err)
	s.Cleanup(func() { _ = response.Body.Close() })
	w := &watching{s, bufio.NewScanner(response.Body)}
	if !w.lines.Scan() || w.lines.Text() != ": open" {
		s.Fatalf("the stream begins with %q", w.lines.Text())
	}
	return w
}

// next returns the page's next notice.
func (w *watching) next() (n notice) {
	w.Helper()
	for w.lines.Scan() {
		if data, ok := strings.CutPrefix(w.lines.Text(), "data: "); ok {
			check(w.T, json.Unmarshal([]byte(data), &n))
			return n
		}
	}
	w.Fatalf("the stream has ended: %v", w.lines.Err())
	return n
}

// await skips the notices before one of the given kind.
func (w *watching) await(kind string) {
	w.Helper()
	for w.next().Kind != kind { //nolint:revive // what else is told does not matter
	}
}

// sameAsJournal waits until the list of episodes equals the journal, which a viewer polls a few times a second, and
// returns the run's page.
func (s *site) sameAsJournal() (page runPage) {
	s.Helper()
	var want, is []string
	for _, e := range s.recorded() {
		want = append(want, fmt.Sprint(e.EpisodeID, e.Standing, e.NumTurns, e.FinalAnswer))
	}
	for range 10_000 {
		var list episodeList
		s.get("/api/runs/recorded-1/episodes?standing=any&limit=1000", &list)
		is = nil
		for _, e := range list.Episodes {
			is = append(is, fmt.Sprint(e.ID, e.Standing, e.Turns, e.Answer))
		}
		if slices.Equal(is, want) {
			s.get("/api/runs/recorded-1", &page)
			return page
		}
	}
	s.Fatalf("the list stays another than the journal's: %s", cmp.Diff(want, is))
	return page
}

// A run is killed and resumed while it is watched: the page receives both events, and interrupted episodes no longer
// count.
func TestKilledAndResumedWhileWatched(t *testing.T) {
	s := newSite(t)
	ctx := t.Context()
	w := s.watch(ctx)
	_, err := s.writer.Episode(ctx, sdk.SplitTrain, 5, 0, 9) // of a step that is never finished
	check(t, err)
	w.await("episodes")
	check(t, s.writer.Writer.Close(ctx)) // without a finish record
	w.await("state")
	if page := s.sameAsJournal(); page.Live || page.Status != runstore.StatusInterrupted ||
		!slices.Contains(kindsOf(page.Marks), "kill") {
		t.Errorf("after the kill: %s, live %t, marks %v", page.Status, page.Live, kindsOf(page.Marks))
	}
	writer, err := s.store.Resume(ctx, "", runstore.ResumeOptions{})
	check(t, err)
	t.Cleanup(func() { _ = writer.Close(context.Background()) })
	again := &runstoretest.Run{Writer: writer, Shape: s.writer.Shape}
	check(t, again.Launch(ctx))
	check(t, again.Step(ctx))
	w.await("step")
	page := s.sameAsJournal()
	if kinds := kindsOf(page.Marks); !page.Live || page.Step != 5 || !slices.Contains(kinds, "resume") ||
		!slices.Contains(kinds, "kill") {
		t.Errorf("after the resume: step %d, live %t, marks %v", page.Step, page.Live, kinds)
	}
	var superseded episodeList
	s.get("/api/runs/recorded-1/episodes?standing=SUPERSEDED", &superseded)
	if superseded.Total != 1 {
		t.Errorf("%d episodes are superseded, want the one that was cut off", superseded.Total)
	}
}

// A message of ten megabytes is shown completely on its episode's page, and does not slow down lists.
func TestHugeMessage(t *testing.T) {
	s := newSite(t)
	const id = "huge/episode"
	huge := "begins-here " + strings.Repeat("x <script>\x1b[31m\u202e ", 10<<20/20) + "ends-there"
	_, err := s.writer.Writer.AppendEpisode(t.Context(), runstore.EpisodeRecord{
		EpisodeID: id, TaskID: "task-000", Outcome: sdk.OutcomeTruncated, NumTurns: 1, FinalAnswer: huge,
		Slot:        runstore.Slot{Stage: runstoretest.Stage, Split: sdk.SplitTrain, Step: 5, Group: "huge"},
		Transcripts: []runstore.TranscriptPart{{Messages: []sdk.Message{{Role: sdk.RoleAssistant, Content: huge}}}},
		Limit:       &runstore.Limit{Name: "message_tokens", Value: 60},
	})
	check(t, err)
	var page episodePage
	s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(id), &page)
	if page.Transcripts[0].Messages[0].Content != huge || len(page.Episode.Answer) > 800 {
		t.Errorf("a message of %d bytes, an answer of %d", len(page.Transcripts[0].Messages[0].Content),
			len(page.Episode.Answer))
	}
	limit := limitLine{
		Limit: runstore.Limit{Name: "message_tokens", Value: 60}, Words: "the last message reached message_tokens = 60",
		Cut: true,
	}
	if page.Limit == nil || *page.Limit != limit {
		t.Errorf("the limit is %+v, want %+v", page.Limit, limit)
	}
	for text, want := range map[string]int{"begins-here": 1, "ends-there": 0} {
		var found episodeList
		s.get("/api/runs/recorded-1/episodes?group=huge&q="+text, &found)
		if found.Total != want || found.Cut != 1 {
			t.Errorf("%s is found %d times, want %d; %d texts were cut, want 1", text, found.Total, want, found.Cut)
		}
	}
	if _, text := s.ask("/api/runs/recorded-1/episodes?group=huge", nil); len(text) > 10_000 {
		t.Errorf("the list has %d bytes", len(text))
	}
}

// Programs that read the page's JSON get lists, also of an episode that failed before its first message.
func TestEpisode_HasAListOfNoMessages(t *testing.T) {
	s := newSite(t)
	const id = "empty/episode"
	_, err := s.writer.Writer.AppendEpisode(t.Context(), runstore.EpisodeRecord{
		EpisodeID: id, TaskID: "task-000", Outcome: sdk.OutcomeDropped, Transcripts: []runstore.TranscriptPart{{}},
		Slot: runstore.Slot{Stage: runstoretest.Stage, Split: sdk.SplitTrain, Step: 5, Group: "empty"},
	})
	check(t, err)
	var page episodePage
	s.get("/api/runs/recorded-1/episodes/"+url.PathEscape(id), &page)
	if len(page.Transcripts) != 1 || page.Transcripts[0].Messages == nil {
		t.Errorf("the transcripts are %+v", page.Transcripts)
	}
}

// A client that disconnects without closing releases its stream.
func TestDroppedConnections(t *testing.T) {
	s := newSite(t)
	for range 2 * maxStreams {
		ctx, drop := context.WithCancel(t.Context())
		s.watch(ctx)
		drop()
	}
	w := s.watch(t.Context())
	_, err := s.writer.Episode(t.Context(), sdk.SplitTrain, 5, 0, 9)
	check(t, err)
	w.await("episodes")
}

// Ten concurrent clients of a growing run all get the journal's data.
func TestTenClients(t *testing.T) {
	s := newSite(t)
	before := len(s.recorded())
	var clients errgroup.Group
	for range 10 {
		clients.Go(func() error {
			seen := 0
			for range 5 {
				response, text := s.ask("/api/runs/recorded-1/episodes?standing=any&q=needle&limit=3", nil)
				var list episodeList
				if err := json.Unmarshal(text, &list); err != nil || response.StatusCode != http.StatusOK {
					return fmt.Errorf("%s: %s", response.Status, text)
				}
				if list.Total < seen || list.Total < before || len(list.Episodes) != 3 {
					return fmt.Errorf("%d episodes after %d, and %d before all", list.Total, seen, before)
				}
				seen = list.Total
			}
			return nil
		})
	}
	for sample := range 20 {
		_, err := s.writer.Episode(t.Context(), sdk.SplitTrain, 5, 0, sample)
		check(t, err)
	}
	check(t, clients.Wait())
	if n := len(s.recorded()); n != before+20 {
		t.Errorf("the journal has %d episodes, want %d", n, before+20)
	}
}

// Data that a kill left at the end of a journal is ignored. Damage in its middle is reported, and other runs are
// still shown.
func TestGarbageInTheJournal(t *testing.T) {
	s := newSite(t)
	check(t, s.writer.Writer.Close(t.Context()))
	path := s.run.JournalPath()
	whole, err := os.ReadFile(path)
	check(t, err)
	check(t, os.WriteFile(path, append(slices.Clone(whole), "garbage \xa7WJ\xf2\x00{}"...), 0o600))
	if page := s.sameAsJournal(); page.Episodes == 0 {
		t.Errorf("%+v", page.runLine)
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2] ^= 0xff
	check(t, os.WriteFile(path, damaged, 0o600))
	fresh := New(Config{Store: s.store, Cache: t.TempDir(), Token: token}) // a viewer without an index
	defer fresh.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	check(t, err)
	request.SetPathValue("run", "recorded-1")
	if _, err := fresh.episodes(request); err == nil || problemOf(err).status != http.StatusInternalServerError {
		t.Errorf("a damaged journal is read: %v", err)
	}
	if _, err := fresh.runs(request); err != nil {
		t.Errorf("the list of runs: %v", err)
	}
}

// A copy of a run has the same id. Both are shown with their own data, and no index is left behind.
func TestCopyOfARun(t *testing.T) {
	s := newSite(t)
	check(t, os.CopyFS(filepath.Join(filepath.Dir(s.run.Dir), "recorded-7"), os.DirFS(s.run.Dir)))
	check(t, s.writer.Step(t.Context()))
	for range 3 {
		for name, want := range map[string]int{"recorded-1": 5, "recorded-7": 4} {
			var steps struct{ Steps []stepLine }
			s.get("/api/runs/"+name+"/steps", &steps)
			if n := len(steps.Steps); n != want {
				t.Errorf("%s has %d steps, want %d", name, n, want)
			}
		}
	}
	check(t, s.server.Close())
	left, err := filepath.Glob(filepath.Join(s.server.config.Cache, "own-*"))
	if check(t, err); len(left) > 0 {
		t.Errorf("indexes are left: %v", left)
	}
}
