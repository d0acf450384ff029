package runstore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/journal/disk/disktest"
	"github.com/awhost/awhost/internal/testlevel"
)

func TestMain(m *testing.M) {
	playChild()
	goleak.VerifyTestMain(m)
}

// errKilled is returned to a process that a test has killed: none of its operations reach the disk any more.
var errKilled = errors.New("killed")

// killer ends a process at its n-th change of the disk, before it, after it, or in the middle of a write.
type killer struct {
	at    int
	after bool
	cut   int // bytes of a write that are still written

	mu   sync.Mutex
	seen int
}

func (k *killer) String() string {
	return fmt.Sprintf("at %d (after: %t, cut: %d)", k.at, k.after, k.cut)
}

func (k *killer) hook(op disk.Op) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if op.Done {
		if k.after && k.seen >= k.at {
			return errKilled
		}
		return nil
	}
	k.seen++
	switch {
	case k.seen < k.at || k.after && k.seen == k.at:
		return nil
	case k.seen == k.at && op.Name == disk.OpWrite && k.cut > 0:
		return &disk.ShortWrite{N: k.cut % op.Bytes, Err: errKilled}
	}
	return errKilled
}

// TestKilledAnywhereTheRunEndsTheSame ends the process before, after or within every single change of the disk, with
// or without an additional power failure, and resumes. Each slot must count once, acknowledged data must not be lost,
// and readers must agree at every moment. AWHOST_SLOW=all tries all ways at every change, otherwise one way each.
func TestKilledAnywhereTheRunEndsTheSame(t *testing.T) {
	whole := &killer{at: 1 << 30}
	if err := drive(t.Context(), onDisk(disk.Hooked(emptyDisk(t), whole.hook)), func(int) {}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for at := 1; at <= whole.seen; at++ {
		ways := []*killer{{at: at}, {at: at, after: true}, {at: at, cut: 1 + rng.IntN(1000)}}
		if !testlevel.All() {
			survive(t, rng, ways[rng.IntN(len(ways))], rng.IntN(2) == 0)
			continue
		}
		for _, way := range ways {
			survive(t, rng, way, false)
			survive(t, rng, way, true)
		}
	}
	t.Logf("killed at %d places", whole.seen)
}

// survive kills a run as given, then its resumption at a random change, and then lets it complete.
func survive(t *testing.T, rng *rand.Rand, first *killer, powerFails bool) {
	t.Helper()
	d := emptyDisk(t)
	acked := -1
	kills := []*killer{first, {at: 1 + rng.IntN(150), after: rng.IntN(2) == 0}}
	name := fmt.Sprintf("killed as %v, then as %v, power fails: %t", kills[0], kills[1], powerFails)
	for _, k := range kills {
		err := drive(t.Context(), onDisk(disk.Hooked(d, k.hook)), func(step int) { acked = max(acked, step) })
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatalf("%s: %v", name, err)
		}
		if powerFails {
			d = d.Crash(rng)
		}
		checkReader(t, name, onDisk(d), acked)
	}
	if err := drive(t.Context(), onDisk(d), func(int) {}); err != nil {
		t.Fatalf("%s: the last resumption: %v", name, err)
	}
	checkWhole(t, newest(t, onDisk(d)))
	if t.Failed() {
		t.Fatal(name)
	}
}

// checkReader checks the run that a kill has left.
func checkReader(t *testing.T, name string, s *Store, acked int) {
	t.Helper()
	runs, err := s.List()
	if err != nil || len(runs) > 1 {
		t.Fatalf("%s: %d runs, %v", name, len(runs), err)
	}
	if len(runs) == 0 {
		if acked >= 0 {
			t.Fatalf("%s: the run is gone", name)
		}
		return
	}
	if runs[0].Problem != "" || runs[0].Step < acked {
		t.Fatalf("%s: the run is at step %d, %d was acknowledged; problem: %s", name, runs[0].Step, acked, runs[0].Problem)
	}
	run := newest(t, s)
	audit, err := run.Audit(t.Context())
	if err != nil || len(audit.Problems) > 0 {
		t.Fatalf("%s: %+v, %v", name, audit, err)
	}
	tip, skipped, err := run.Latest(t.Context())
	if err != nil || len(skipped) > 0 || acked >= 0 && (tip == nil || tip.Step < acked) {
		t.Fatalf("%s: the newest checkpoint is %+v, %d was acknowledged; skipped %q, %v", name, tip, acked, skipped, err)
	}
}

func TestACutManifestOrFileIsPassedOver(t *testing.T) {
	d := emptyDisk(t)
	if err := drive(t.Context(), onDisk(d), func(int) {}); err != nil {
		t.Fatal(err)
	}
	run := newest(t, onDisk(d))
	tip, _, err := run.Latest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{manifestFile, "model.safetensors", "optimizer/state.bin"} {
		path := filepath.Join(tip.Dir, name)
		whole, err := disk.ReadFile(d, path)
		if err != nil {
			t.Fatal(err)
		}
		for cut := range bytes.TrimSpace(whole) {
			if err := disk.WriteFile(d, path, whole[:cut]); err != nil {
				t.Fatal(err)
			}
			if err := run.Verify(t.Context(), *tip); err == nil {
				t.Fatalf("%s cut to %d bytes passes for intact", name, cut)
			}
		}
		if err := disk.WriteFile(d, path, whole); err != nil {
			t.Fatal(err)
		}
		damaged := append([]byte(nil), whole...)
		damaged[len(damaged)/2] ^= 1
		for _, content := range [][]byte{nil, whole[:len(whole)/2], damaged} {
			resumeWith(t, d, path, content)
		}
	}
}

// resumeWith damages a copy of the newest checkpoint and resumes from the one before.
func resumeWith(t *testing.T, original *disktest.Disk, path string, content []byte) {
	t.Helper()
	d := original.Crash(rand.New(rand.NewPCG(1, 1)))
	if err := disk.WriteFile(d, path, content); err != nil {
		t.Fatal(err)
	}
	s := onDisk(d)
	w, err := openOrCreate(t.Context(), s)
	if err != nil {
		t.Fatalf("%s cut to %d bytes: %v", path, len(content), err)
	}
	if tip := w.Tip(); tip == nil || tip.Step != lastStep-1 {
		t.Fatalf("%s cut to %d bytes: resumed at %+v", path, len(content), tip)
	}
	if len(w.Warnings()) != 1 || w.Warnings()[0].Kind != "checkpoint_skipped" {
		t.Fatalf("%s cut to %d bytes: warnings are %+v", path, len(content), w.Warnings())
	}
	if err := w.AppendLaunch(t.Context(), LaunchRecord{LaunchID: "again", Stage: "full",
		FirstStep: lastStep}); err != nil {
		t.Fatal(err)
	}
	if lineage, err := newest(t, s).Lineage(); err != nil || len(lineage) != lastStep-1 {
		t.Fatalf("after the launch from step %d the lineage has %d checkpoints: %v", lastStep-1, len(lineage), err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := drive(t.Context(), s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, newest(t, s))
}
