package result

import "github.com/awhost/awhost/host/diag"

// Diagnostic is a problem with a spec: what happened, where, and what to do. Its text is that of diag.WriteHuman.
type Diagnostic struct {
	Type string `json:"type"`
	diag.Diagnostic
}

// DiagnosticOf is the line about a problem.
func DiagnosticOf(d diag.Diagnostic) Diagnostic { return Diagnostic{Type: "diagnostic", Diagnostic: d} }
