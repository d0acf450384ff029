package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
)

// Version is what `version` prints: the versions of this awhost and of what it speaks and writes.
type Version struct {
	Type     string `json:"type"`
	Awhost   string `json:"awhost"`
	Protocol int    `json:"protocol"`      // of plugins
	Run      int    `json:"run_directory"` // the format of run directories
	Events   string `json:"events"`        // the version of the events of apply and resume
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"` // the commit that it was built from, where that is known
}

// Text implements Result.
func (v Version) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("awhost %s (plugin protocol %d, run directory format %d, %s, %s)",
		v.Awhost, v.Protocol, v.Run, v.Go, v.Platform))
}
