package sdk

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// EnvKilledDir names the directory in which the host records kills of a block's programs across runs.
const EnvKilledDir = "AWHOST_KILLED_DIR"

// Digest returns the SHA-256 of the task's ID and public content, which distinguishes equal IDs in different datasets.
func (t Task) Digest() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %s", t.ID, t.Public))
}

// BlameKill returns the failure for an attempt whose program was ended by SIGKILL or SIGTERM without exceeding a limit,
// for example by the kernel's out-of-memory killer. The first kill during a task is INFRASTRUCTURE, so that the attempt
// is repeated with the same seed. For every later kill, BlameKill returns nil: the model may have caused it, so the
// episode continues and is scored. Each kill leaves an empty file, named after the task's digest, in the directory
// named by EnvKilledDir or, if that is not set, in dir, the component's directory (Setup.Dir). The record applies to
// all episodes, launches, and runs until the user deletes the directory.
func BlameKill(dir string, task [sha256.Size]byte, program string) error {
	dir = cmp.Or(os.Getenv(EnvKilledDir), filepath.Join(dir, "killed"))
	err := os.MkdirAll(dir, 0o777) // the umask decides, because users may share runs
	if err == nil {
		name := filepath.Join(dir, fmt.Sprintf("%x", task))
		var mark *os.File
		if mark, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err == nil {
			err = mark.Close()
		} else if errors.Is(err, fs.ErrExist) {
			return nil
		}
	}
	detail := program + " was killed without exceeding a limit; the machine may have run out of memory. " +
		"The next kill at this task counts as a failure of the model"
	if err != nil {
		detail += fmt.Sprintf(". The kill cannot be recorded: %v", err)
	}
	return &Failure{Class: FailureInfrastructure, Detail: detail, Retryable: true}
}
