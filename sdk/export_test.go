package sdk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func TestWriteExport_IsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	req := sdk.ExportRequest{Target: filepath.Join(dir, "model")}
	write := func(partial string) error {
		return errors.Join(
			os.WriteFile(filepath.Join(partial, "b"), []byte("12"), 0o600), os.Mkdir(filepath.Join(partial, "a"), 0o700),
			os.WriteFile(filepath.Join(partial, "a", "c"), []byte("123"), 0o600),
		)
	}
	broken := errors.New("the disk is full")
	if _, err := sdk.WriteExport(req, func(partial string) error {
		return errors.Join(write(partial),
			broken)
	}); !errors.Is(err, broken) {
		t.Errorf("%v, want the cause", err)
	}
	if _, err := sdk.WriteExport(req, func(string) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("an export without a file: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("a failed export leaves %v, %v", left, err)
	}
	out, err := sdk.WriteExport(req, write)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sdk.ExportedFile{{Name: "a/c", Bytes: 3}, {Name: "b", Bytes: 2}}, out.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(req.Target, "a", "c")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("a file that others cannot read: %v, %v", info, err)
	}
	if _, err := sdk.WriteExport(req, write); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	if _, err := sdk.WriteExport(sdk.ExportRequest{Target: filepath.Join(dir, "nowhere", "model")}, write); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("in a directory that is not there: %v", err)
	}
}
