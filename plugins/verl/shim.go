package verl

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/awhost/awhost/sdk/python"
)

// shim is what verl's workers import.
//
//go:embed shim/awhost_verl/*.py shim/awhost_verl/cpu/*.py
var shim embed.FS

// unpack writes the Python code beside the run, where every worker can read it.
func unpack(dir string) error {
	ours, err := fs.Sub(shim, "shim")
	if err != nil {
		return err
	}
	if err := python.Unpack(dir, ours, python.Bridge); err != nil {
		return fmt.Errorf("unpack the code for verl's workers: %w", err)
	}
	return nil
}
