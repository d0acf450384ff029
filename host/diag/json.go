package diag

import (
	"encoding/json"
	"io"
)

// WriteJSON writes one object per line and diagnostic. The fields are those of Diagnostic, after `"type":
// "diagnostic"`, which tells the line apart from others of a stream.
func WriteJSON(w io.Writer, ds Diagnostics) error {
	encoder := json.NewEncoder(w)
	for _, d := range ds {
		line := struct {
			Type string `json:"type"`
			Diagnostic
		}{"diagnostic", d}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
