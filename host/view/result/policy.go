package result

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/export"
)

// policy returns the policy for people: the model and its checkpoint, or only the model if of is nil.
func policy(of *export.Source, model string) string {
	if of == nil {
		return model
	}
	return fmt.Sprintf("%s (%s)", CheckpointText(of), model)
}

// CheckpointText describes a checkpoint and why it was selected, for people.
func CheckpointText(s *export.Source) string { return strings.TrimSuffix(sourceText(s), ",") }

// sourceText describes a checkpoint and why it was selected.
func sourceText(s *export.Source) string {
	switch {
	case s.Run == "":
		return s.Dir
	case s.Why == "":
		return fmt.Sprintf("step %d of %s", s.Step, s.Run)
	}
	return fmt.Sprintf("step %d of %s, the %s one,", s.Step, s.Run, s.Why)
}
