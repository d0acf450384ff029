package plan

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/hostserver"
)

// MessageLimits returns the plugins' maximum message sizes, as declared in their descriptions.
func (p *Plan) MessageLimits() hostserver.Limits {
	limits := hostserver.Limits{}
	for _, c := range p.Components {
		if c.Entry != nil {
			limits[c.Block.Address] = c.Entry.Description.MessageBytes()
		}
	}
	return limits
}

// copies is the maximum number of copies of a message that the host holds: as received, as decoded, and as forwarded.
// Steps with 100 MB messages at a concurrency of 8 took 2.4 GB.
const copies = 3

// checkMessages warns if plugins declare messages so large that they do not fit in memory when each episode has one in
// progress.
func (p *Plan) checkMessages(s Stage, memory uint64) diag.Diagnostics {
	if p.Smoke != nil {
		return nil // it has its own concurrency
	}
	var largest int64
	var declared []string
	for _, c := range p.Components {
		if c.Entry == nil || c.Entry.Description.MaxMessageBytes == 0 {
			continue // its messages are limited to 32 MiB, which few reach
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
			"Plugins declare messages of up to %s (%s). With %d episodes at a time, these messages and their copies need up "+
				"to %s in the host alone, but this machine has %s. Write concurrency = %d or less, or reduce the plugin's limit.",
			bytesText(float64(largest)), strings.Join(declared, ", "), s.Concurrency, bytesText(needed),
			bytesText(float64(memory)), fits),
	})}
}

// checkMessageMemory compares the message sizes with this machine's memory.
func (p *Plan) checkMessageMemory(s Stage) diag.Diagnostics {
	return p.checkMessages(s, doctor.Memory())
}
