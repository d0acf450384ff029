package consent

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// All processes of a user share one private key from the beginning.
func TestKey_IsOneAndPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is a key: %v", err)
	}
	var group sync.WaitGroup
	seals := make([]string, 8)
	for i := range seals {
		group.Go(func() {
			key, err := Ensure(dir)
			if err != nil {
				t.Error(err)
			}
			seals[i] = key.MAC([]byte("text"))
		})
	}
	group.Wait()
	key, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range seals {
		if !key.Verify([]byte("text"), s) || key.Verify([]byte("texts"), s) {
			t.Errorf("%s is not the seal of the text alone", s)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, keyName)); err != nil || info.Mode() != 0o600 {
		t.Errorf("the key has mode %v: %v", info.Mode(), err)
	}
	other, err := Ensure(t.TempDir())
	if err != nil || other.Verify([]byte("text"), seals[0]) {
		t.Errorf("another user has the same key: %v", err)
	}
}

// An invalid key file is rejected.
func TestRead_RefusesWhatIsNoKey(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, keyName), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(string) (Key, error){Read, Ensure} {
		if _, err := read(dir); err == nil {
			t.Error("five bytes are a key")
		}
	}
}
