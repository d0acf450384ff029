package result

import (
	"fmt"

	"github.com/awhost/awhost/host/view/text"
)

// Version is the result of `version`: the versions of this awhost and of its protocols and formats.
type Version struct {
	Type     string `json:"type"`
	Awhost   string `json:"awhost"`
	Protocol int    `json:"protocol"`      // version of the plugin protocol
	Run      int    `json:"run_directory"` // version of the format of run directories
	Events   string `json:"events"`        // version of the events of apply and resume
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"` // commit of the build, if known
}

// Text implements Result.
func (v Version) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("awhost %s (plugin protocol %d, run directory format %d, %s, %s)",
		v.Awhost, v.Protocol, v.Run, v.Go, v.Platform))
}
