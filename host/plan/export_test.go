package plan

import "github.com/awhost/awhost/host/diag"

// CheckMessages calls doubtMessages, for a machine with that much memory.
func (p *Plan) CheckMessages(s Stage, memory uint64) diag.Diagnostics {
	return p.checkMessages(s, memory)
}
