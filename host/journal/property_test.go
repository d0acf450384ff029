package journal_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/journal/disk/disktest"
	"github.com/awhost/awhost/internal/testlevel/property"
)

// TestCrashesLoseOnlyWhatWasNotSynced drives a journal through appends, syncs, ends of its process and power failures
// on a disk that loses, cuts and reorders unsynced data.
func TestCrashesLoseOnlyWhatWasNotSynced(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		m := &model{disk: disktest.New()}
		m.open(t)
		t.Repeat(map[string]func(*rapid.T){
			"append": m.append,
			"sync":   m.sync,
			"kill":   m.kill,
			"crash":  m.crash,
			"":       m.check,
		})
	})
}

// model is the expected state: the records in order, and the number of durable ones.
type model struct {
	disk    *disktest.Disk
	journal *journal.Journal
	records []string
	kinds   []journal.Kind
	durable int
	next    int
}

// listed are the kinds of which the journal has an index.
var listed = []journal.Kind{1, 9}

func (m *model) open(t *rapid.T) {
	j, _, err := journal.Open(path, journal.Options{FS: m.disk, Index: listed})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	m.journal = j
}

func (m *model) append(t *rapid.T) {
	m.next++
	text := rapid.StringN(0, 2000, 4000).Draw(t, "text")
	n := note{N: m.next, Text: fmt.Sprintf("%x", text)}
	kind := rapid.SampledFrom([]journal.Kind{0, 0, 0, 1, 9}).Draw(t, "kind")
	if _, err := m.journal.Append(t.Context(), kind, n); err != nil {
		t.Fatalf("append: %v", err)
	}
	m.kinds = append(m.kinds, kind)
	m.records = append(m.records, fmt.Sprintf(`{"n":%d,"text":"%s"}`, n.N, n.Text))
	if n.Text == "" {
		m.records[len(m.records)-1] = fmt.Sprintf(`{"n":%d}`, n.N)
	}
}

func (m *model) sync(t *rapid.T) {
	if err := m.journal.Sync(t.Context()); err != nil {
		t.Fatalf("sync: %v", err)
	}
	m.durable = len(m.records)
}

// kill ends the process, whose writes stay. Opening makes them durable.
func (m *model) kill(t *rapid.T) {
	m.open(t)
	m.durable = len(m.records)
}

func (m *model) crash(t *rapid.T) {
	seed := rapid.Uint64().Draw(t, "seed")
	m.disk = m.disk.Crash(rand.New(rand.NewPCG(seed, 1)))
	m.checkIndex(t, m.read(t, nil)) // before Open repairs anything
	m.open(t)
	survived := len(m.read(t, nil))
	if survived < m.durable {
		t.Fatalf("%d records survived, %d were durable", survived, m.durable)
	}
	m.records, m.kinds, m.durable = m.records[:survived], m.kinds[:survived], survived
}

func (m *model) check(t *rapid.T) {
	got := m.read(t, nil)
	if len(got) != len(m.records) {
		t.Fatalf("%d records, want %d", len(got), len(m.records))
	}
	for i := range got {
		if got[i] != m.records[i] {
			t.Fatalf("record %d is %.60s, want %.60s", i, got[i], m.records[i])
		}
	}
	m.checkIndex(t, got)
}

// checkIndex checks that selections by kind, which may use the index, yield what the whole journal has.
func (m *model) checkIndex(t *rapid.T, whole []string) {
	for _, only := range [][]journal.Kind{{1}, {9}, {1, 9}, {0, 1}} {
		want := []string{}
		for i, record := range whole {
			if slices.Contains(only, m.kinds[i]) {
				want = append(want, record)
			}
		}
		if got := m.read(t, only); !slices.Equal(got, want) {
			t.Fatalf("%d records of the kinds %v, want %d", len(got), only, len(want))
		}
	}
}

func (m *model) read(t *rapid.T, only []journal.Kind) []string {
	got := []string{}
	for record, err := range journal.Read(path, journal.ReadOptions{FS: m.disk, Only: only}) {
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		got = append(got, string(record.JSON))
	}
	return got
}

// FuzzRead checks that the reader yields records or an error for any bytes, and agrees with Open.
func FuzzRead(f *testing.F) {
	d := disktest.New()
	j, _, err := journal.Open(path, journal.Options{FS: d})
	if err != nil {
		f.Fatal(err)
	}
	for n, text := range []string{"", long, "x"} {
		if _, err := j.Append(f.Context(), 1, note{N: n, Text: text}); err != nil {
			f.Fatal(err)
		}
		if err := j.Sync(f.Context()); err != nil {
			f.Fatal(err)
		}
	}
	whole, err := disk.ReadFile(d, path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, uint16(0), byte(0))
	f.Add(whole, uint16(70), byte(1))
	f.Add(whole[:100], uint16(20), byte(9))
	f.Add([]byte{}, uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, flip byte) {
		if int(at) < len(data) {
			data = append([]byte(nil), data...)
			data[at] ^= flip
		}
		d := disktest.New()
		if err := disk.StageFile(d, path, data); err != nil {
			t.Fatal(err)
		}
		read := uint64(0)
		var readErr error
		for record, err := range journal.Read(path, journal.ReadOptions{FS: d}) {
			if readErr = err; err == nil {
				read++
				if record.Seq != read {
					t.Fatalf("record %d has the number %d", read, record.Seq)
				}
			}
		}
		_, recovery, openErr := journal.Open(path, journal.Options{FS: d})
		if (readErr == nil) != (openErr == nil) && openErr != nil {
			t.Fatalf("read says %v, open says %v", readErr, openErr)
		}
		if openErr == nil && readErr == nil && recovery.Records != read {
			t.Fatalf("read %d records, open found %d", read, recovery.Records)
		}
	})
}
