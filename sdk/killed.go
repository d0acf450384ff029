package sdk

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk/private"
)

// BlameKill returns the failure of an attempt whose program was ended by SIGKILL or SIGTERM without exceeding a limit,
// as by the kernel's out-of-memory killer. The first kill at a task is INFRASTRUCTURE, so that the attempt is repeated
// with the same seed. For every later one BlameKill returns nil: the model may have caused it, so the episode continues
// and is scored. dir is the component's directory (Setup.Dir), which keeps the record across all episodes and launches
// of a run.
func BlameKill(dir, task, program string) error {
	dir = filepath.Join(dir, "killed")
	err := private.MkdirAll(dir)
	if err == nil {
		name := fmt.Sprintf("%x", sha256.Sum256([]byte(task)))
		var mark *os.File
		if mark, err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, private.File); err == nil {
			err = mark.Close()
		} else if errors.Is(err, fs.ErrExist) {
			return nil
		}
	}
	detail := program + " was killed without exceeding a limit; perhaps the machine ran out of memory. " +
		"Another kill at this task counts as the model's"
	if err != nil {
		detail += fmt.Sprintf(". The kill cannot be recorded: %v", err)
	}
	return &Failure{Class: FailureInfrastructure, Detail: detail, Retryable: true}
}
