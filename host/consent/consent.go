// Package consent distinguishes files written by the user from files copied from other users.
//
// A user's consent is recorded next to the spec, where the author of a copied spec could have put a forged record. A
// record therefore carries a seal: a MAC over the entire record, with a key that is created once per user and stored
// outside every project. A record without this user's seal grants no consent.
//
//	key, err := consent.Ensure("")         // the user's key, created if necessary
//	record.Seal = key.MAC(text)
//
//	key, err := consent.Read("")           // fs.ErrNotExist: this user has sealed nothing yet
//	ok := key.Verify(text, record.Seal)
//
// It owns the key. The package must not depend on the sealed content.
package consent

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk/ownerfile"
)

const (
	keyName  = "consent.key"
	keyBytes = 32
)

// Key is a user's key.
type Key struct{ bytes []byte }

// MAC returns the seal for a text.
func (k Key) MAC(text []byte) string {
	mac := hmac.New(sha256.New, k.bytes)
	mac.Write(text)
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil))
}

// Verify reports whether a seal matches the text.
func (k Key) Verify(text []byte, seal string) bool {
	return hmac.Equal([]byte(k.MAC(text)), []byte(seal))
}

// pathIn returns the path of the key: in a given directory, or in the awhost subdirectory of the user's configuration
// directory.
func pathIn(dir string) (string, error) {
	if dir != "" {
		return filepath.Join(dir, keyName), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the user's configuration directory: %w", err)
	}
	return filepath.Join(dir, "awhost", keyName), nil
}

// Read returns the user's key, or fs.ErrNotExist if it does not exist.
func Read(dir string) (Key, error) {
	path, err := pathIn(dir)
	if err != nil {
		return Key{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, err
	}
	if !info.Mode().IsRegular() || info.Size() != keyBytes { // opening or reading a pipe might block forever
		return Key{}, fmt.Errorf("%s is not a key of %d bytes: remove it and run `awhost init`", path, keyBytes)
	}
	key, err := os.ReadFile(path)
	return Key{key}, err
}

// Ensure returns the user's key. It creates the key if it does not exist.
func Ensure(dir string) (Key, error) {
	key, err := Read(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	path, err := pathIn(dir)
	if err != nil {
		return Key{}, err
	}
	if err := create(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return Key{}, err
	}
	return Read(dir) // another process may have been first
}

// create creates a complete key atomically, or fails with fs.ErrExist.
func create(path string) error {
	if err := ownerfile.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.CopyN(f, rand.Reader, keyBytes)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path) // unlike a rename, it replaces nothing
}
