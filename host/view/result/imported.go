package result

import (
	"fmt"

	"github.com/awhost/awhost/host/importer"
	"github.com/awhost/awhost/host/view/text"
)

// Imported is a spec that was generated from another system's configuration.
type Imported struct {
	Type string                 `json:"type"`
	From string                 `json:"from"` // path of the configuration
	Spec string                 `json:"spec"` // path of the generated spec
	Keys []importer.ImportedKey `json:"keys"` // the result for each key of the configuration
}

// ImportedOf returns the result for a configuration.
func ImportedOf(from, to string, spec *importer.Spec) Imported {
	return Imported{Type: "imported", From: from, Spec: to, Keys: spec.Keys}
}

// outcomes lists the headings of the groups of keys.
var outcomes = []struct {
	outcome importer.Outcome
	heading string
}{
	{importer.Mapped, ""},
	{importer.Kept, "Kept in the adapter's settings:"},
	{importer.Owned, "Set by awhost itself:"},
	{importer.LeftOut, "Not in the spec:"},
	{importer.NotRun, "Commands and conditions of the script, of which none was run:"},
	{importer.Unresolved, "Not known without running the script, and not in the spec:"},
}

// Text implements Result.
func (i Imported) Text(out *text.Printer) {
	groups := map[importer.Outcome][]importer.ImportedKey{}
	for _, key := range i.Keys {
		groups[key.Outcome] = append(groups[key.Outcome], key)
	}
	carried := len(groups[importer.Mapped]) + len(groups[importer.Kept])
	out.Line(fmt.Sprintf("%s wrote %s from %s: %d of its %d keys are in it", out.Styles.Good("✓"), i.Spec, i.From, carried,
		len(i.Keys)-len(groups[importer.NotRun])))
	for _, group := range outcomes {
		if group.heading != "" && len(groups[group.outcome]) > 0 {
			out.Blank()
			out.Line(group.heading)
		}
		for _, key := range groups[group.outcome] {
			line, place := fmt.Sprintf("  %s = %s", key.Key, key.Value), fmt.Sprintf(" (line %d)", key.Line)
			if key.File != "" {
				place = fmt.Sprintf(" (%s:%d)", key.File, key.Line)
			}
			switch group.outcome {
			case importer.Mapped:
				line += ": " + key.To
			case importer.NotRun:
				line = "  " + key.Value + place
			default:
				line += place
			}
			out.Line(line)
			if key.Why != "" {
				out.Line("      " + key.Why)
			}
		}
	}
	out.Blank()
	out.Line("Next: awhost init " + i.Spec)
}
