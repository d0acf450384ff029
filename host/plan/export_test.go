package plan

import "github.com/awhost/awhost/host/diag"

// DoubtMessages calls doubtMessages, for a machine with that much memory.
func (p *Plan) DoubtMessages(s Stage, memory uint64) diag.Diagnostics {
	return p.doubtMessages(s, memory)
}
