package result

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/export"
)

// policy returns who answered, for people: the model, and the checkpoint that it is of; nil where it is of none.
func policy(of *export.Source, model string) string {
	if of == nil {
		return model
	}
	return fmt.Sprintf("%s (%s)", CheckpointText(of), model)
}

// CheckpointText names a checkpoint, and says why it was taken, for people.
func CheckpointText(s *export.Source) string { return strings.TrimSuffix(sourceText(s), ",") }

// sourceText names a checkpoint, and says why it was taken.
func sourceText(s *export.Source) string {
	switch {
	case s.Run == "":
		return s.Dir
	case s.Why == "":
		return fmt.Sprintf("step %d of %s", s.Step, s.Run)
	}
	return fmt.Sprintf("step %d of %s, the %s one,", s.Step, s.Run, s.Why)
}
