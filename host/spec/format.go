package spec

import (
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/internal/hclsource"
)

// Format returns a spec in native syntax with canonical formatting: indentation, spaces and aligned equals signs.
// Comments, line breaks and the order are preserved. A spec that cannot be parsed is not changed: the error is a
// diag.Diagnostics, whose ranges do not name a file.
func Format(source []byte) ([]byte, error) {
	_, problems := hclsource.Parse(source, "")
	if problems.HasErrors() {
		l := &loader{sources: diag.Sources{"": source}, scope: &scope{problems: problems}}
		return nil, l.diagnostics()
	}
	return hclwrite.Format(source), nil
}
