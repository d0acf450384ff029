package catalog

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What a user accepted is recorded beside the spec, where anybody who ships the spec could have put a record of their
// own. So a record carries a seal: a MAC over all of it, with a key that is made once per user and lies outside of
// every project. A record without this user's seal accepts nothing.

const keyBytes = 32

// checkSeal fails for a record that this user did not write.
func (c *Catalog) checkSeal(record acceptance) error {
	key, err := c.readKey()
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("its record was not written by you on this machine: run `awhost init`")
	}
	if err != nil {
		return fmt.Errorf("your consent cannot be checked: %w", err)
	}
	want, err := seal(key, record)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(want), []byte(record.Seal)) {
		return errors.New("its record was not written by you on this machine: run `awhost init`")
	}
	return nil
}

// seal computes the MAC of a record.
func seal(key []byte, record acceptance) (string, error) {
	record.Seal = ""
	text, err := json.Marshal(record) // compact, whatever the layout that the record was read from
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil)), nil
}

func (c *Catalog) keyPath() (string, error) {
	if c.config.KeyDir != "" {
		return filepath.Join(c.config.KeyDir, keyName), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the user's configuration directory: %w", err)
	}
	return filepath.Join(dir, "awhost", keyName), nil
}

const keyName = "consent.key"

func (c *Catalog) readKey() ([]byte, error) {
	path, err := c.keyPath()
	if err != nil {
		return nil, err
	}
	key, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	if len(key) != keyBytes {
		return nil, fmt.Errorf("%s is not a key of %d bytes: remove it and run `awhost init`", path, keyBytes)
	}
	return key, nil
}

// ensureKey returns the user's key, made now if there is none.
func (c *Catalog) ensureKey() ([]byte, error) {
	key, err := c.readKey()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	path, err := c.keyPath()
	if err != nil {
		return nil, err
	}
	if err := createKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return c.readKey() // another process may have been first
}

// createKey makes a complete key appear, or fails with fs.ErrExist.
func createKey(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary)
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
