package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/awhost/awhost/host/consent"
)

// checkSeal returns an error for a record that this user did not write.
func (c *Catalog) checkSeal(record acceptance) error {
	key, err := consent.Read(c.config.KeyDir)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("its record was not written by you on this machine: run `awhost init`")
	}
	if err != nil {
		return fmt.Errorf("check your consent: %w", err)
	}
	text, err := record.sealed()
	if err != nil {
		return err
	}
	if !key.Verify(text, record.Seal) {
		return errors.New("its record was not written by you on this machine: run `awhost init`")
	}
	return nil
}

// sealed returns the sealed content of a record: compact JSON, independent of the record's layout.
func (a acceptance) sealed() ([]byte, error) {
	a.Seal = ""
	return json.Marshal(a)
}
