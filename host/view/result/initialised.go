package result

import (
	"fmt"

	"github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/view/text"
)

// Initialised is the last line of `init`, after one `plugin` for each that was accepted.
type Initialised struct {
	Type    string   `json:"type"`
	Spec    string   `json:"spec"`
	Asks    []string `json:"environment"`       // variables that the spec asks for
	Example string   `json:"example,omitempty"` // the file that lists them
}

// Dataset is one whose rows were fetched or made, as `init` prints it.
type Dataset struct {
	Type    string `json:"type"`
	Dataset string `json:"dataset"` // its address
	Of      string `json:"of"`      // the repository with its commit, the function or the program
	Here    bool   `json:"here"`    // nothing was fetched or made: it was there
	Files   int    `json:"files"`   // that were fetched or written
	Bytes   int64  `json:"bytes"`   // in them
}

// DatasetOf is the result about a dataset.
func DatasetOf(address string, d prepared.Done) Dataset {
	return Dataset{Type: "dataset", Dataset: address, Of: d.What, Here: d.Here, Files: d.Files, Bytes: d.Bytes}
}

// Text implements Result.
func (d Dataset) Text(out *text.Printer) {
	if d.Here {
		out.Line(fmt.Sprintf("%s is here: %s", d.Dataset, d.Of))
		return
	}
	out.Line(fmt.Sprintf("prepared %s: %s (%s)", d.Dataset, d.Of, text.Bytes(d.Bytes)))
}

// Text implements Result.
func (i Initialised) Text(out *text.Printer) {
	if i.Example == "" {
		out.Line(fmt.Sprintf("%s is ready: run awhost apply %s", i.Spec, i.Spec))
		return
	}
	out.Line(i.Example + " lists the variables that the spec asks for: copy it to .env and fill it in")
}
