package spool_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/dataset/internal/spool"
	"github.com/awhost/awhost/internal/testlevel/property"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func filled(t testing.TB, texts ...[]byte) *spool.Spool {
	t.Helper()
	s := spool.New()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, text := range texts {
		if err := s.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTextsComeBack(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		var texts [][]byte
		for _, length := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 100, 70_000, 128 << 10, 300_000}), 0, 20).Draw(rt,
			"lengths") {
			texts = append(texts, bytes.Repeat([]byte{byte(len(texts))}, length))
		}
		s := filled(t, texts...)
		if s.Len() != len(texts) {
			rt.Fatalf("there are %d texts, want %d", s.Len(), len(texts))
		}
		for range texts {
			i := rapid.IntRange(0, len(texts)-1).Draw(rt, "i")
			if got, err := s.Get(i); err != nil || !bytes.Equal(got, texts[i]) {
				rt.Fatalf("text %d of %d bytes comes back with %d, %v", i, len(texts[i]), len(got), err)
			}
		}
	})
}

// incompressible returns n texts of a size, each determined by its index.
func incompressible(n, size int) [][]byte {
	random := rand.NewChaCha8([32]byte{})
	texts := make([][]byte, n)
	for i := range texts {
		texts[i] = make([]byte, size)
		_, _ = random.Read(texts[i]) // never fails
	}
	return texts
}

func TestLargeSpoolsAreFilesWithoutAName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	texts := incompressible(3000, 10_000) // 30 MB
	s := filled(t, texts...)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the temporary directory holds %v, %v", left, err)
	}
	var readers sync.WaitGroup
	for start := range 4 {
		readers.Go(func() {
			for i := start; i < len(texts); i += 7 {
				if got, err := s.Get(i); err != nil || !bytes.Equal(got, texts[i]) {
					t.Errorf("text %d: %v", i, err)
				}
			}
		})
	}
	readers.Wait()
}

func TestNoPlaceForTheFile(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent")
	s := spool.New()
	defer s.Close()
	var err error
	for _, text := range incompressible(3000, 10_000) {
		if err = s.Add(text); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("%v, want the variable to set", err)
	}
}

func BenchmarkGet(b *testing.B) {
	var texts [][]byte
	for i := range 20_000 {
		texts = append(texts, []byte(fmt.Sprintf(`{"prompt":"What is %d plus %d?","ground_truth":"%d","text":%q}`, i, i, 2*i,
			strings.Repeat("some words ", 50))))
	}
	s := filled(b, texts...)
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(texts)
		if _, err := s.Get(i); err != nil {
			b.Fatal(err)
		}
	}
}
