package result

import (
	"fmt"

	"github.com/awhost/awhost/host/scan/recorded"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

// Scan is the result of scanning a run's conversations.
type Scan struct {
	Type string `json:"type"`
	Run  string `json:"run"`
	recorded.Result

	show string // the command that shows an episode, without its ID
}

// ScanOf returns the result of a scan. show is the command that shows an episode, up to its ID.
func ScanOf(run string, r *recorded.Result, show string) Scan { return Scan{"scan", run, *r, show} }

// mostHits limits the hits that are printed; JSON has all.
const mostHits = 20

// Text implements Result.
func (s Scan) Text(out *text.Printer) {
	scanned := text.Plural(s.Conversations, "conversation") + " scanned"
	if s.ByModel > 0 {
		scanned += fmt.Sprintf(", %d by the model", s.ByModel)
	}
	out.Line(fmt.Sprintf("%s: %s, %s", out.Styles.Title(text.Clean(s.Run)), scanned,
		text.Plural(len(s.Findings), "finding")))
	if s.NoAnswers != "" {
		out.Line("  " + out.Styles.Warn("leaked answers are not searched: ") + text.Clean(s.NoAnswers))
	}
	for _, line := range view.Findings(s.Findings, out.Styles, out.Width) {
		out.Line(line)
	}
	for i, hit := range s.Hits {
		if i == mostHits {
			out.Line(out.Styles.Dim(fmt.Sprintf("%d more with --json", len(s.Hits)-i)))
			break
		}
		if i == 0 {
			out.Heading("Messages")
		}
		out.Line("  " + text.Clean(hitWords(hit.Hit)))
		out.Line("    " + out.Styles.Dim(s.show+text.Clean(hit.Episode)))
	}
}
