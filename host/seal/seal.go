// Package seal tells what a user has written from what came with somebody else's files.
//
// What a user consents to is recorded beside the spec, where anybody who ships the spec could have put a record of
// their own. So a record carries a seal: a MAC over all of it, with a key that is made once per user and lies outside
// of every project. A record without this user's seal consents to nothing.
//
//	key, err := seal.Ensure("")         // the user's key, made now if there is none
//	record.Seal = key.MAC(text)
//
//	key, err := seal.Read("")           // fs.ErrNotExist: this user has sealed nothing yet
//	ok := key.Sealed(text, record.Seal)
//
// It owns the key. It must not know what is sealed.
package seal

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

	"github.com/awhost/awhost/sdk/private"
)

const (
	keyName  = "consent.key"
	keyBytes = 32
)

// Key is that of a user.
type Key struct{ bytes []byte }

// MAC is the seal of a text.
func (k Key) MAC(text []byte) string {
	mac := hmac.New(sha256.New, k.bytes)
	mac.Write(text)
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil))
}

// Sealed reports whether a seal is that of the text.
func (k Key) Sealed(text []byte, seal string) bool {
	return hmac.Equal([]byte(k.MAC(text)), []byte(seal))
}

// pathIn is where the key lies: in a given directory, or in the folder awhost of the user's configuration directory.
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

// Read returns the user's key; an fs.ErrNotExist: there is none.
func Read(dir string) (Key, error) {
	path, err := pathIn(dir)
	if err != nil {
		return Key{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, err
	}
	if !info.Mode().IsRegular() || info.Size() != keyBytes { // opening or reading a pipe could take for ever
		return Key{}, fmt.Errorf("%s is not a key of %d bytes: remove it and run `awhost init`", path, keyBytes)
	}
	key, err := os.ReadFile(path)
	return Key{key}, err
}

// Ensure returns the user's key, made now if there is none.
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

// create makes a complete key appear, or fails with fs.ErrExist.
func create(path string) error {
	if err := private.MkdirAll(filepath.Dir(path)); err != nil {
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
	return os.Link(f.Name(), path) // unlike a rename it does not replace
}
