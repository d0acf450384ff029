package result

import (
	"fmt"

	"github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/view/text"
)

// Initialised is the last line that `init` prints. It follows one `plugin` line for each accepted plugin.
type Initialised struct {
	Type    string   `json:"type"`
	Spec    string   `json:"spec"`
	Asks    []string `json:"environment"`       // environment variables that the spec requires
	Example string   `json:"example,omitempty"` // the file that lists these variables
}

// Dataset is a dataset that was fetched or generated, as printed by `init`.
type Dataset struct {
	Type    string `json:"type"`
	Dataset string `json:"dataset"` // address of the dataset
	Of      string `json:"of"`      // the repository with its commit, the function or the program
	Here    bool   `json:"here"`    // the data was already present: nothing was fetched or generated
	Files   int    `json:"files"`   // number of files that were fetched or written
	Bytes   int64  `json:"bytes"`   // size of these files
}

// DatasetOf returns the result for a dataset.
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
