package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/journal/disk/disktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const path = "journal"

type note struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

// long is compressed; short records are not.
var long = strings.Repeat("the calculator said 42. ", 100)

func open(t *testing.T, fsys disk.FS) *journal.Journal {
	t.Helper()
	j, _, err := journal.Open(path, journal.Options{FS: fsys, Writer: "awhost 0.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func write(t *testing.T, j *journal.Journal, notes ...note) journal.Position {
	t.Helper()
	var end journal.Position
	for _, n := range notes {
		var err error
		if end, err = j.Append(t.Context(), journal.Kind(n.N%3), n); err != nil {
			t.Fatal(err)
		}
	}
	return end
}

func list(t *testing.T, fsys disk.FS, opts journal.ReadOptions) ([]string, error) {
	t.Helper()
	var got []string
	opts.FS = fsys
	for record, err := range journal.Read(path, opts) {
		if err != nil {
			return got, err
		}
		got = append(got, string(record.JSON))
	}
	return got, nil
}

// content returns the current content of the file, and put replaces it.
func content(t *testing.T, fsys disk.FS) []byte {
	t.Helper()
	data, err := disk.ReadFile(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func put(t *testing.T, data []byte) *disktest.Disk {
	t.Helper()
	d := disktest.New()
	if err := disk.WriteFile(d, path, data); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWhatWasAppendedIsRead(t *testing.T) {
	d := disktest.New()
	j := open(t, d)
	write(t, j, note{N: 1, Text: "short"}, note{N: 2, Text: long})
	middle := write(t, j, note{N: 3})
	write(t, j, note{N: 4})
	if err := errors.Join(j.Sync(t.Context()), j.Close()); err != nil {
		t.Fatal(err)
	}
	all := []string{`{"n":1,"text":"short"}`, `{"n":2,"text":"` + long + `"}`, `{"n":3}`, `{"n":4}`}
	for _, tc := range []struct {
		name string
		opts journal.ReadOptions
		want []string
	}{
		{"everything", journal.ReadOptions{}, all},
		{"from a position", journal.ReadOptions{From: middle}, all[3:]},
		{"some kinds", journal.ReadOptions{Only: []journal.Kind{2, 0}}, all[1:3]},
		{"no kinds", journal.ReadOptions{Only: []journal.Kind{}}, nil},
	} {
		got, err := list(t, d, tc.opts)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, diff)
		}
	}
	if size := len(content(t, d)); size > len(long) {
		t.Errorf("the file has %d bytes: nothing was compressed", size)
	}
}

func TestOnARealDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	for round := range 3 {
		j, recovery, err := journal.Open(name, journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if recovery != (journal.Recovery{Records: uint64(round)}) {
			t.Errorf("round %d found %+v", round, recovery)
		}
		write(t, j, note{N: round})
		if err := errors.Join(j.Sync(t.Context()), j.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j3(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading a missing journal: %v", err)
	}
}

func j3(name string) (journal.Record, error) {
	for record, err := range journal.Read(name+"-missing", journal.ReadOptions{}) {
		return record, err
	}
	return journal.Record{}, nil
}

func TestATailCutAtAnyByteIsTruncated(t *testing.T) {
	d := disktest.New()
	j := open(t, d)
	var ends []int64
	var want []string
	for n, text := range []string{"", long, "x", long + long, ""} {
		ends = append(ends, write(t, j, note{N: n, Text: text}).Offset)
		want = append(want, fmt.Sprintf(`{"n":%d`, n))
	}
	whole := content(t, d)
	for cut := range whole {
		d := put(t, whole[:cut])
		kept := 0
		for kept < len(ends) && ends[kept] <= int64(cut) {
			kept++
		}
		before, err := list(t, d, journal.ReadOptions{})
		if err != nil || len(before) != kept {
			t.Fatalf("cut at %d: read %d records, want %d: %v", cut, len(before), kept, err)
		}
		j := open(t, d)
		write(t, j, note{N: 99})
		after, err := list(t, d, journal.ReadOptions{})
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(after) != kept+1 || after[kept] != `{"n":99}` {
			t.Fatalf("cut at %d: %d records after appending, want %d", cut, len(after), kept+1)
		}
		for i := range kept {
			if !strings.HasPrefix(after[i], want[i]) {
				t.Fatalf("cut at %d: record %d is %.20s", cut, i, after[i])
			}
		}
	}
}

func TestDamageToWhatWasDurableIsAnError(t *testing.T) {
	d := disktest.New()
	j := open(t, d)
	first := write(t, j, note{N: 1, Text: long}).Offset
	if err := j.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	end := write(t, j, note{N: 2}, note{N: 3}).Offset
	whole := content(t, d)
	for at := range end {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0x40
		d := put(t, damaged)
		_, readErr := list(t, d, journal.ReadOptions{})
		_, _, openErr := journal.Open(path, journal.Options{FS: d})
		var corrupt *journal.CorruptError
		switch durable := at < first; {
		case durable && at >= 64 && (!errors.As(readErr, &corrupt) || !errors.As(openErr, &corrupt) || corrupt.Offset != 64):
			t.Errorf("a bit at %d flipped: read says %v, open says %v; both must name offset 64", at, readErr, openErr)
		case durable && (readErr == nil || openErr == nil):
			t.Errorf("a bit at %d flipped: read says %v, open says %v", at, readErr, openErr)
		case !durable && (readErr != nil || openErr != nil):
			t.Errorf("a bit at %d flipped, which was never durable: read says %v, open says %v", at, readErr, openErr)
		}
	}
	_, err := list(t, put(t, whole), journal.ReadOptions{Durable: end + 1})
	if err == nil || !strings.Contains(err.Error(), "the file ends here") {
		t.Errorf("a file shorter than what was durable: %v", err)
	}
}

func TestAFrameInsideAPayloadIsNoFrame(t *testing.T) {
	// A tool may print a journal. A journal inside a record must not turn a torn tail into corruption.
	d := disktest.New()
	j := open(t, d)
	write(t, j, note{N: 1})
	if err := j.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, j, note{N: 2})
	whole := content(t, d)
	d = put(t, append(append(append([]byte(nil), whole...), "torn"...), whole...))
	got, err := list(t, d, journal.ReadOptions{})
	if err != nil || len(got) != 2 {
		t.Errorf("read %q: %v", got, err)
	}
}

func TestANewerFormatNamesItsReader(t *testing.T) {
	header := content(t, func() disk.FS { d := disktest.New(); open(t, d); return d }())
	for _, tc := range []struct {
		name, writer, want string
		version            byte
	}{
		{"newer", "awhost 0.3.0", "is in format 2, this program reads format 1: use awhost 0.3.0 or newer", 2},
		{"newer without a name", "", "use a newer version", 7},
	} {
		d := put(t, journal.HeaderForTest(header, tc.version, tc.writer))
		_, readErr := list(t, d, journal.ReadOptions{})
		_, _, openErr := journal.Open(path, journal.Options{FS: d})
		for _, err := range []error{readErr, openErr} {
			var version *journal.VersionError
			if !errors.As(err, &version) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
			}
		}
	}
	if _, _, err := journal.Open(path, journal.Options{FS: put(t, []byte("steps = 3\n"))}); err == nil ||
		!strings.Contains(err.Error(), "is not a journal") {
		t.Errorf("opening a text file: %v", err)
	}
}

func TestTheFirstFailureIsFinal(t *testing.T) {
	for _, tc := range []struct {
		name string
		op   string
		err  error
		want string
	}{
		{"disk full", disk.OpWrite, syscall.ENOSPC, "write journal journal at offset"},
		{"disk full in the middle of a frame", disk.OpWrite, &disk.ShortWrite{N: 20, Err: syscall.ENOSPC}, "no space left"},
		{"fsync fails", disk.OpSync, syscall.EIO, "sync journal journal: input/output error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := disktest.New()
			broken := false
			fsys := disk.Hooked(d, func(op disk.Op) error {
				if broken && op.Name == tc.op && !op.Done {
					return tc.err
				}
				return nil
			})
			j := open(t, fsys)
			write(t, j, note{N: 1})
			broken = true
			_, err := j.Append(t.Context(), 0, note{N: 2})
			first := errors.Join(err, j.Sync(t.Context()))
			broken = false
			if first == nil || !strings.Contains(first.Error(), tc.want) {
				t.Errorf("the failure is %v, want %q", first, tc.want)
			}
			if _, err := j.Append(t.Context(), 0, note{N: 3}); err == nil || !strings.Contains(first.Error(), err.Error()) {
				t.Errorf("appending after the failure: %v", err)
			}
			if err := j.Sync(t.Context()); err == nil || !strings.Contains(first.Error(), err.Error()) {
				t.Errorf("syncing after the failure: %v", err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			write(t, open(t, d), note{N: 4})
			got, err := list(t, d, journal.ReadOptions{})
			if err != nil || got[0] != `{"n":1}` || got[len(got)-1] != `{"n":4}` {
				t.Errorf("after opening again: %q, %v", got, err)
			}
		})
	}
}

func TestAValueThatCannotBeEncodedSpoilsNothing(t *testing.T) {
	j := open(t, disktest.New())
	if _, err := j.Append(t.Context(), 0, func() {}); err == nil {
		t.Error("a function was appended")
	}
	write(t, j, note{N: 1})
}

func TestWaitingCallersShareAnFsync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		syncs := 0
		fsys := disk.Hooked(disktest.New(), func(op disk.Op) error {
			if op.Name == disk.OpSync && !op.Done {
				syncs++
				if syncs > 1 {
					<-gate
				}
			}
			return nil
		})
		j := open(t, fsys)
		errs := make(chan error, 100)
		for range cap(errs) {
			go func() {
				_, err := j.Append(t.Context(), 0, note{N: 1})
				errs <- errors.Join(err, j.Sync(t.Context()))
			}()
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := j.Sync(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled sync says %v", err)
		}
		close(gate)
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if syncs > 3 { // the header, the first caller, and one for all others
			t.Errorf("%d fsyncs for %d callers", syncs, cap(errs))
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAClosedJournalTakesNothing(t *testing.T) {
	j := open(t, disktest.New())
	write(t, j, note{N: 1})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), 0, note{}); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append says %v", err)
	}
	if err := j.Sync(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("sync says %v", err)
	}
}

func BenchmarkAppend(b *testing.B) {
	j, _, err := journal.Open(filepath.Join(b.TempDir(), "journal"), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	record := note{Text: long}
	b.SetBytes(int64(len(long)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := j.Append(b.Context(), 1, record); err != nil {
			b.Fatal(err)
		}
	}
}

// TestIndex checks that a reader of listed kinds does not read other records, and that a wrong index costs only time.
func TestIndex(t *testing.T) {
	d := disktest.New()
	j, _, err := journal.Open(path, journal.Options{FS: d, Index: []journal.Kind{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, j, note{N: 0, Text: long}, note{N: 1}, note{N: 2, Text: long})
	at := j.End()
	write(t, j, note{N: 3, Text: long}, note{N: 4, Text: long})
	if err := j.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, j, note{N: 5})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	opts := journal.ReadOptions{Only: []journal.Kind{1, 2}}
	want, err := list(t, d, opts)
	if err != nil || len(want) != 4 {
		t.Fatalf("%d records, %v; want 4", len(want), err)
	}
	check := func(about string) {
		t.Helper()
		if got, err := list(t, d, opts); err != nil || cmp.Diff(want, got) != "" {
			t.Fatalf("%s: %v, want %v; %v", about, got, want, err)
		}
	}
	index, err := disk.ReadFile(d, path+".index")
	if err != nil {
		t.Fatal(err)
	}
	stage := func(name string, data []byte) {
		t.Helper()
		if err := disk.StageFile(d, name, data); err != nil {
			t.Fatal(err)
		}
	}
	for cut := range index {
		stage(path+".index", index[:cut])
		check(fmt.Sprintf("an index of %d bytes", cut))
		stage(path+".index", append(bytes.Clone(index[:cut]), make([]byte, 100)...))
		check(fmt.Sprintf("an index of %d bytes, and zeros", cut))
	}
	stage(path+".index", index)
	data, err := disk.ReadFile(d, path)
	if err != nil {
		t.Fatal(err)
	}
	data[at.Offset+40]++
	stage(path, data)
	check("another record is damaged")
	var corrupt *journal.CorruptError
	for _, opts := range []journal.ReadOptions{{}, {Only: []journal.Kind{0, 1}}, {Only: opts.Only, Strict: true}} {
		if _, err := list(t, d, opts); !errors.As(err, &corrupt) {
			t.Errorf("a reader of the damaged record got %v", err)
		}
	}
	for i := range data[at.Offset:] {
		data[int(at.Offset)+i]++
	}
	stage(path, data)
	opts.Durable = int64(len(data))
	if _, err := list(t, d, opts); !errors.As(err, &corrupt) {
		t.Errorf("a reader of a damaged listed record got %v", err)
	}
}
