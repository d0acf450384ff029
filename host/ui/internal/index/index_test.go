package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/runstore/runstoretest"
	"github.com/awhost/awhost/sdk"
)

var shape = runstoretest.Shape{Groups: 3, Samples: 4, Tasks: 2, Words: 20, Uncommitted: 1}

// begin starts a run with four steps, two validation passes and one commit that is not recorded.
func begin(t testing.TB) (*runstoretest.Run, *runstore.Store) {
	t.Helper()
	store := runstore.In(t.TempDir(), runstore.Options{Version: "0.1.0"})
	ctx := t.Context()
	run, err := runstoretest.Begin(ctx, store, shape)
	check(t, err)
	t.Cleanup(func() { _ = run.Writer.Close(context.Background()) })
	check(t, run.Validate(ctx))
	for range 4 {
		check(t, run.Step(ctx))
	}
	check(t, run.Validate(ctx))
	return run, store
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func opened(t testing.TB, store *runstore.Store, dir string) (*runstore.Run, *Index) {
	t.Helper()
	run, err := store.Open("")
	check(t, err)
	x, err := Open(run, dir)
	check(t, err)
	t.Cleanup(func() { _ = x.Close() })
	return run, x
}

func refresh(t testing.TB, x *Index) Changes {
	t.Helper()
	changes, err := x.Refresh(t.Context())
	check(t, err)
	return changes
}

// sameAsJournal checks an index against the journal's own readers.
func sameAsJournal(t *testing.T, run *runstore.Run, x *Index) {
	t.Helper()
	var facts []Fact
	for f := range x.All() {
		facts = append(facts, f)
	}
	n := 0
	for e, err := range run.Episodes(t.Context()) {
		check(t, err)
		if n >= len(facts) {
			t.Fatalf("the index has %d episodes, the journal more", n)
		}
		f := facts[n]
		n++
		if f.ID != e.EpisodeID || f.Standing != e.Standing || f.Use != e.Use ||
			f.EpisodeStatus.Step != e.Step || f.Turns != e.NumTurns ||
			f.Malformed != e.Malformed || f.AnswerSum != sumOf([]byte(e.FinalAnswer)) ||
			f.Parts[1] != float32(e.Timings.ModelMillis) ||
			!cmp.Equal(f.Reward, e.Reward) || !cmp.Equal(f.Success, e.IsSuccess) || f.Outcome != e.Outcome {
			t.Errorf("the index says %+v, the journal %+v", f, e)
		}
		answer, err := x.Answer(f)
		check(t, err)
		if answer != e.FinalAnswer {
			t.Errorf("answer %q, the journal says %q", answer, e.FinalAnswer)
		}
		whole, err := x.Episode(t.Context(), f.ID)
		check(t, err)
		if diff := cmp.Diff(&e, whole); diff != "" && x.lastOf(f) {
			t.Errorf("episode %s: %s", f.ID, diff)
		}
	}
	if n != len(facts) {
		t.Errorf("the index has %d episodes, the journal %d", len(facts), n)
	}
	was, err := run.Summary()
	check(t, err)
	is, err := x.Run().Summary()
	check(t, err)
	if diff := cmp.Diff(was, is); diff != "" {
		t.Errorf("summary: %s", diff)
	}
}

// lastOf reports whether a fact is the last one with its id.
func (x *Index) lastOf(f Fact) bool {
	last, ok := x.Fact(f.ID)
	return ok && last.seq == f.seq
}

func TestFactsAreThoseOfTheJournal(t *testing.T) {
	writer, store := begin(t)
	dir := filepath.Join(t.TempDir(), "x")
	run, x := opened(t, store, dir)
	refresh(t, x)
	sameAsJournal(t, run, x)

	t.Run("as the run grows", func(t *testing.T) {
		id, err := writer.Episode(t.Context(), sdk.SplitTrain, 5, 0, 9)
		check(t, err)
		if changes := refresh(t, x); changes.Episodes != 1 || changes.Step != 5 {
			t.Errorf("%+v", changes)
		}
		if f, ok := x.Fact(id); !ok || f.Standing != runstore.Open {
			t.Errorf("%+v, %v", f, ok)
		}
		if changes := refresh(t, x); changes.Any() {
			t.Errorf("nothing was added: %+v", changes)
		}
	})
	t.Run("when steps are cut off and run again", func(t *testing.T) {
		check(t, writer.Step(t.Context())) // step 5 is not committed
		check(t, writer.Launch(t.Context()))
		check(t, writer.Step(t.Context()))
		refresh(t, x)
		superseded := 0
		for f := range x.All() {
			if f.Standing == runstore.Superseded {
				superseded++
			}
		}
		if superseded == 0 {
			t.Error("nothing was superseded")
		}
		sameAsJournal(t, run, x)
	})
	t.Run("from the cache", func(t *testing.T) {
		check(t, x.Close())
		_, again := opened(t, store, dir)
		sameAsJournal(t, run, again) // before it has read the journal
		if changes := refresh(t, again); changes.Any() {
			t.Errorf("nothing was added: %+v", changes)
		}
	})
}

// A record that is being written, or that was truncated by a kill, is not a record yet.
func TestTornLastRecord(t *testing.T) {
	writer, store := begin(t)
	check(t, writer.Writer.Sync(t.Context()))
	run, err := store.Open("")
	check(t, err)
	whole, err := os.ReadFile(run.JournalPath())
	check(t, err)
	_, err = writer.Episode(t.Context(), sdk.SplitTrain, 5, 0, 9)
	check(t, err)
	longer, err := os.ReadFile(run.JournalPath())
	check(t, err)
	check(t, os.WriteFile(run.JournalPath(), longer[:len(longer)-5], 0o600))

	_, x := opened(t, store, t.TempDir())
	refresh(t, x)
	before := x.Count()
	check(t, os.WriteFile(run.JournalPath(), longer, 0o600))
	if changes := refresh(t, x); changes.Episodes != 1 || changes.Replaced || x.Count() != before+1 {
		t.Errorf("%+v, %d episodes, before %d", changes, x.Count(), before)
	}

	// After a power failure, data that was already read may be lost and written differently.
	check(t, os.WriteFile(run.JournalPath(), whole, 0o600))
	if changes := refresh(t, x); !changes.Replaced || x.Count() != before {
		t.Errorf("%+v, %d episodes, want %d", changes, x.Count(), before)
	}
	sameAsJournal(t, run, x)
}

func TestDamagedCacheIsMadeAnew(t *testing.T) {
	_, store := begin(t)
	for _, name := range []string{factsFile, textsFile} {
		for _, damage := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:len(b)/2] },
			func(b []byte) []byte { return nil },
			func(b []byte) []byte { b[len(b)/2] ^= 0x55; return b },
		} {
			dir := t.TempDir()
			run, x := opened(t, store, dir)
			refresh(t, x)
			check(t, x.Close())
			path := filepath.Join(dir, name)
			text, err := os.ReadFile(path)
			check(t, err)
			check(t, os.WriteFile(path, damage(text), 0o600))
			_, x = opened(t, store, dir)
			refresh(t, x)
			if _, err := x.Find(t.Context(), Query{Text: "needle"}); err != nil {
				refresh(t, x)
			}
			sameAsJournal(t, run, x)
		}
	}
}

// An answer that was changed in the cache is not shown, and is read from the journal again.
func TestDamagedAnswerIsNotShown(t *testing.T) {
	_, store := begin(t)
	dir := t.TempDir()
	run, x := opened(t, store, dir)
	refresh(t, x)
	check(t, x.Close())
	path := filepath.Join(dir, textsFile)
	text, err := os.ReadFile(path)
	check(t, err)
	for i := range text {
		text[i] ^= 1
	}
	check(t, os.WriteFile(path, text, 0o600))
	_, x = opened(t, store, dir)
	for f := range x.All() {
		if answer, err := x.Answer(f); !errors.Is(err, ErrDamaged) {
			t.Fatalf("answer %q, %v", answer, err)
		}
	}
	refresh(t, x)
	sameAsJournal(t, run, x)
}

// Data that could not be written to a full disk is written once there is space.
func TestFullDisk(t *testing.T) {
	for _, name := range []string{factsFile, textsFile} {
		t.Run(name, func(t *testing.T) {
			recorded, store := begin(t)
			run, x := opened(t, store, t.TempDir())
			refresh(t, x)
			file := map[string]**os.File{factsFile: &x.cache.facts, textsFile: &x.cache.texts}[name]
			full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
			if err != nil {
				t.Skipf("SKIPPED: a device that is always full is missing: %v", err)
			}
			defer full.Close()
			whole := *file
			*file = full
			check(t, recorded.Step(t.Context()))
			if _, err := x.Refresh(t.Context()); !errors.Is(err, ErrUnwritable) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("a full disk: %v", err)
			}
			*file = whole
			refresh(t, x)
			sameAsJournal(t, run, x)
		})
	}
}

func TestTwoViewersOfOneRun(t *testing.T) {
	_, store := begin(t)
	parent := t.TempDir()
	run, first := opened(t, store, filepath.Join(parent, "x"))
	_, second := opened(t, store, filepath.Join(parent, "x"))
	refresh(t, first)
	refresh(t, second)
	sameAsJournal(t, run, first)
	sameAsJournal(t, run, second)
	check(t, second.Close())
	entries, err := os.ReadDir(parent)
	check(t, err)
	if len(entries) != 1 {
		t.Errorf("%d folders are left, want one", len(entries))
	}
}

// Caches of killed viewers are removed. Open and recently used ones are kept.
func TestSweep(t *testing.T) {
	_, store := begin(t)
	parent := t.TempDir()
	open := func(name string) *Index {
		_, x := opened(t, store, filepath.Join(parent, name))
		return x
	}
	open("open")
	for _, name := range []string{"used", "old", ownPrefix + "killed"} {
		check(t, open(name).Close())
	}
	long := time.Now().Add(-2 * unusedFor)
	for _, name := range []string{"old", "open"} {
		check(t, os.Chtimes(filepath.Join(parent, name, lockFile), long, long))
	}
	check(t, os.MkdirAll(filepath.Join(parent, "another's"), 0o700))
	check(t, Sweep(parent))
	entries, err := os.ReadDir(parent)
	check(t, err)
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if diff := cmp.Diff([]string{"another's", "open", "used"}, left); diff != "" {
		t.Error(diff)
	}
	check(t, Sweep(filepath.Join(parent, "nowhere")))
}

func find(t testing.TB, x *Index, q Query) Page {
	t.Helper()
	page, err := x.Find(t.Context(), q)
	check(t, err)
	return page
}

func TestFind(t *testing.T) {
	_, store := begin(t)
	run, x := opened(t, store, t.TempDir())
	refresh(t, x)
	half, step, one := 0.5, 2, 1
	for name, q := range map[string]Query{
		"step":    {Step: &step},
		"split":   {Split: "validation"},
		"class":   {Class: "ENVIRONMENT"},
		"reward":  {RewardMin: &half},
		"task":    {Task: "task-001"},
		"several": {Split: "train", Group: "g0001", RewardMax: &half},
		"text":    {Text: "overFLOWED"},
		"unread":  {MalformedMin: &one},
		"none":    {Text: "no such words"},
	} {
		want := 0
		for e, err := range run.Episodes(t.Context()) {
			check(t, err)
			fits := map[string]bool{
				"step": e.Slot.Step == 2, "split": e.Slot.Split == sdk.SplitValidation, "class": e.Failure != nil,
				"reward": e.Reward != nil && *e.Reward >= half, "task": e.TaskID == "task-001", "text": e.Failure != nil,
				"unread":  e.Malformed > 0,
				"several": e.Slot.Split == sdk.SplitTrain && e.Slot.Group == "g0001" && e.Reward != nil && *e.Reward <= half,
			}
			if fits[name] {
				want++
			}
		}
		if page := find(t, x, q); page.Total != want || len(page.Facts) != want || want == 0 && name != "none" {
			t.Errorf("%s: %d of %d, want %d", name, len(page.Facts), page.Total, want)
		}
	}
	if page := find(t, x, Query{Text: "needle12x"}); page.Total != 1 {
		t.Errorf("%d episodes with needle12x", page.Total)
	}
}

// compareGroups compares the names of groups, which runstoretest pads with zeros.
func compareGroups(a, b Fact) int {
	if a.Step != b.Step {
		return a.Step - b.Step
	}
	return strings.Compare(string(a.Split)+a.Group, string(b.Split)+b.Group)
}

func TestPages(t *testing.T) {
	_, store := begin(t)
	_, x := opened(t, store, t.TempDir())
	refresh(t, x)
	for _, sort := range Sorts() {
		whole := find(t, x, Query{Sort: sort})
		var paged []Fact
		for cursor, last := "", false; !last; {
			page := find(t, x, Query{Sort: sort, Limit: 5, Cursor: cursor})
			if page.Total != whole.Total || len(page.Facts) > 5 && sort != byGroup {
				t.Fatalf("sort %s: %d of %d, want %d", sort, len(page.Facts), page.Total, whole.Total)
			}
			if n := len(paged); sort == byGroup && n > 0 && len(page.Facts) > 0 &&
				compareGroups(paged[n-1], page.Facts[0]) >= 0 {
				t.Fatalf("group %s of step %d is on two pages, or misplaced", page.Facts[0].Group, page.Facts[0].Step)
			}
			paged = append(paged, page.Facts...)
			cursor, last = page.Next, page.Next == ""
		}
		if len(paged) != len(whole.Facts) {
			t.Fatalf("sort %s: %d on pages, %d at once", sort, len(paged), len(whole.Facts))
		}
		for i := range paged {
			if paged[i].seq != whole.Facts[i].seq {
				t.Fatalf("sort %s: place %d differs", sort, i)
			}
		}
	}
	for _, q := range []Query{{Sort: "name"}, {Cursor: "x"}, {Cursor: "1_y"}, {Cursor: "-1_2"}} {
		if _, err := x.Find(t.Context(), q); err == nil {
			t.Errorf("%+v has no error", q)
		}
	}
}

// BenchmarkHundredThousand measures a viewer's waiting times: opening a run first and again, a filter, and a search.
func BenchmarkHundredThousand(b *testing.B) {
	store := runstore.In(b.TempDir(), runstore.Options{Version: "0.1.0"})
	ctx := b.Context()
	run, err := runstoretest.Begin(ctx, store, runstoretest.Shape{Groups: 32, Samples: 16, Words: 60, Uncommitted: 19})
	check(b, err)
	for run.Steps < 100_000/512+1 {
		check(b, run.Step(ctx))
	}
	check(b, run.Finish(ctx))
	dir := filepath.Join(b.TempDir(), "x")
	measure := func(what string, work func()) {
		began, spent := time.Now(), processorTime(b)
		work()
		spent = processorTime(b) - spent
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		fmt.Printf("%-24s %8.0f ms, processors %6.0f ms, heap %d MiB, system %d MiB\n", what,
			time.Since(began).Seconds()*1000, spent.Seconds()*1000, m.HeapAlloc>>20, m.Sys>>20)
	}
	var x *Index
	measure("without an index", func() { _, x = opened(b, store, dir); refresh(b, x) })
	check(b, x.Close())
	measure("with one", func() { _, x = opened(b, store, dir); refresh(b, x) })
	measure("refresh of nothing", func() { refresh(b, x) })
	measure("filter", func() { find(b, x, Query{Class: "ENVIRONMENT", Sort: "-turns", Limit: 100}) })
	measure("search", func() { find(b, x, Query{Text: "no such words", Limit: 100}) })
	measure("search of one", func() { find(b, x, Query{Text: "needle99999x", Limit: 100}) })
	fmt.Printf("facts %d MiB, texts %d MiB\n", x.cache.factsEnd>>20, x.cache.textsEnd>>20)
	measure("summary", func() { _, err := x.Run().Summary(); check(b, err) })
}

// processorTime returns the CPU time of this process.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
