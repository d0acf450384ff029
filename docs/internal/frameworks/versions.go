package frameworks

import "github.com/awhost/awhost/internal/realtest"

// row is a version that has a row in the table.
type row struct {
	framework, version, mode string
	tier                     string
	why                      map[string]string // reason without a result, by column; "" applies to all other columns
}

// gap is the column for a number that is part of other results.
const gap = "gap"

const (
	onlyNewest = "the long runs use the newest version; the other tests cover the code that differs between versions"
	noNumber   = "the value was not recorded; the passed test requires less than 1e-4"
	notYet     = "the test exists, but no result is recorded"
	tested104  = "long runs and faults are tested with 1.0.4"
	standIn    = "the plan is tested with substitute files"
)

// rows are the versions in the table, newest first.
var rows = []row{
	{framework: "verl", version: "0.9.1", tier: "first class", why: map[string]string{realtest.Mastered: notYet}},
	{framework: "verl", version: "0.8.0", tier: "first class", why: map[string]string{"": onlyNewest}},
	{framework: "verl", version: "0.7.1", tier: "first class", why: map[string]string{"": onlyNewest}},
	{framework: "verl", version: "0.6, 0.7.0", tier: "best effort", why: map[string]string{
		"": "its workers do not train on a CPU: 0.7.0 sends no weights to the sampler there. Its agent loop was " +
			"tested separately",
	}},
	{framework: "verl", version: "0.5 and older", tier: "refused", why: map[string]string{
		"": "its agent loop does not receive the task and cannot return a reward or log-probabilities",
	}},
	{framework: "AReaL", version: "2.0.0", mode: "workflow", tier: "first class",
		why: map[string]string{"": notYet, realtest.Mastered: tested104, realtest.Survived: tested104, gap: noNumber}},
	{framework: "AReaL", version: "2.0.0", mode: "agent", tier: "first class",
		why: map[string]string{"": notYet, realtest.Mastered: tested104, realtest.Survived: tested104, gap: noNumber}},
	{framework: "AReaL", version: "1.0.4", mode: "workflow", tier: "first class", why: map[string]string{"": notYet}},
	{framework: "AReaL", version: "1.0.4", mode: "agent", tier: "first class",
		why: map[string]string{"": notYet, realtest.Survived: tested104}},
	{framework: "AReaL", version: "1.0.2, 1.0.3", tier: "best effort", why: map[string]string{
		"": "the tests include no environment with it; its proxy and its configuration differ from 1.0.4",
	}},
	{framework: "TRL", version: "1.16.0", tier: "first class", why: map[string]string{
		realtest.Planned: standIn, realtest.Smoked: notYet,
	}},
	{framework: "ms-swift", version: "4.6.0", tier: "first class", why: map[string]string{
		realtest.Planned: standIn, realtest.Mastered: "the long run uses TRL, which has the same loop and " +
			"sampler",
	}},
	{framework: "local", version: "embedded", tier: "embedded", why: map[string]string{
		"":  "awhost's own trainer is tested with awhost itself (`go test ./...`), the quick start in CI: 30 % → 90 % and more in 60 steps",
		gap: "its sampler and its loss are the same code",
	}},
}
