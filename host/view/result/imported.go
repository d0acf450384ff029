package result

import (
	"fmt"

	"github.com/awhost/awhost/host/ajet"
	"github.com/awhost/awhost/host/view/text"
)

// Imported is a spec that was generated from another system's configuration.
type Imported struct {
	Type string             `json:"type"`
	From string             `json:"from"` // path of the configuration
	Spec string             `json:"spec"` // path of the generated spec
	Keys []ajet.ImportedKey `json:"keys"` // the result for each key of the configuration
}

// ImportedOf returns the result for an AgentJet configuration.
func ImportedOf(from, to string, spec *ajet.Spec) Imported {
	return Imported{Type: "imported", From: from, Spec: to, Keys: spec.Keys}
}

// Text implements Result.
func (i Imported) Text(out *text.Printer) {
	carried := 0
	for _, key := range i.Keys {
		if key.To != "" {
			carried++
		}
	}
	out.Line(
		fmt.Sprintf(
			"%s wrote %s from %s: %d of its %d keys are in it",
			out.Styles.Good("✓"),
			i.Spec,
			i.From,
			carried,
			len(i.Keys),
		),
	)
	for _, key := range i.Keys {
		if key.To != "" {
			out.Line(fmt.Sprintf("  %s = %s: %s", key.Key, key.Value, key.To))
		}
		if key.To != "" && key.Why != "" {
			out.Line("      " + key.Why)
		}
	}
	if carried < len(i.Keys) {
		out.Blank()
		out.Line("Not in the spec:")
	}
	for _, key := range i.Keys {
		if key.To == "" {
			out.Line(fmt.Sprintf("  %s = %s (line %d)", key.Key, key.Value, key.Line))
			out.Line("      " + key.Why)
		}
	}
	out.Blank()
	out.Line("Next: awhost init " + i.Spec)
}
