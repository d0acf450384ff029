package plan

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/callback"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/doctor"
)

// MessageLimits are the largest messages of the plugins, as their descriptions declare them.
func (p *Plan) MessageLimits() callback.Limits {
	limits := callback.Limits{}
	for _, c := range p.Components {
		if c.Entry != nil {
			limits[c.Block.Address] = c.Entry.Description.MessageBytes()
		}
	}
	return limits
}

// copies is how often the host has a message at its largest moment: as it came, as it was read, and on its way on. Steps
// of 100 MB at a concurrency of 8 took 2.4 GB.
const copies = 3

// doubtMessages warns where plugins declare messages that do not fit into memory when each episode has one under way.
func (p *Plan) doubtMessages(s Stage, memory uint64) diag.Diagnostics {
	if p.Smoke != nil {
		return nil // it has a concurrency of its own
	}
	var largest int64
	var declared []string
	for _, c := range p.Components {
		if c.Entry == nil || c.Entry.Description.MaxMessageBytes == 0 {
			continue // nobody may send more than 32 MiB, and hardly anybody does
		}
		bytes := int64(c.Entry.Description.MessageBytes())
		declared = append(declared, fmt.Sprintf("%s of %s", bytesText(float64(bytes)), c.Block.Address))
		largest = max(largest, bytes)
	}
	each := copies * float64(largest)
	needed := each * float64(s.Concurrency)
	if memory == 0 || needed <= float64(memory) {
		return nil
	}
	path := []string{"concurrency"}
	fits := max(1, int(float64(memory)/each))
	return diag.Diagnostics{p.Spec.Diagnose(p.writer(s.Stage, path), path, diag.Diagnostic{
		Severity: diag.Warning, Summary: "Messages may not fit into memory", Detail: fmt.Sprintf(
			"Plugins declare messages of up to %s (%s). With %d episodes at a time, copies included, these take up to %s "+
				"in the host alone, and this machine has %s. Write concurrency = %d or less, or let the plugin declare less.",
			bytesText(float64(largest)), strings.Join(declared, ", "), s.Concurrency, bytesText(needed),
			bytesText(float64(memory)), fits),
	})}
}

// doubtMemory compares with the memory of this machine.
func (p *Plan) doubtMemory(s Stage) diag.Diagnostics { return p.doubtMessages(s, doctor.Memory()) }
