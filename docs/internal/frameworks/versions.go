package frameworks

import "github.com/awhost/awhost/internal/realtest"

// row is a version with a row in the table.
type row struct {
	framework, version, mode string
	tier                     string
	why                      map[string]string // reason without a result, by column; "" applies to all other columns
}

// gap is the column of a number that is part of other results.
const gap = "gap"

const (
	onlyNewest = "the long runs are played with the newest version; the code that differs between versions is what two steps, the faults and a smoke run show"
	noNumber   = "it was not written down; the test that passed demands less than 1e-4"
	notYet     = "the test is there, and no result is on record"
	newestLong = "the long runs are played with 1.0.4"
	oneMode    = "the faults are played with 1.0.4 in workflow mode, which `mode = \"auto\"` takes"
	standIn    = "its plan is tested with files that stand in for it"
	noSmoke    = "its adapter declares no smoke runs"
)

// rows are the versions in the table, newest first.
var rows = []row{
	{framework: "verl", version: "0.9.1", tier: "first class", why: map[string]string{realtest.Mastered: notYet}},
	{framework: "verl", version: "0.8.0", tier: "first class", why: map[string]string{"": onlyNewest}},
	{framework: "verl", version: "0.7.1", tier: "first class", why: map[string]string{"": onlyNewest}},
	{framework: "verl", version: "0.6, 0.7.0", tier: "best effort", why: map[string]string{
		"": "its workers do not train on a CPU: 0.7.0 hands the sampler no weights there. Its agent loop was driven alone",
	}},
	{framework: "verl", version: "0.5 and older", tier: "refused", why: map[string]string{
		"": "an agent loop there learns no task and can give back neither a reward nor log-probabilities",
	}},
	{framework: "AReaL", version: "2.0.0", mode: "workflow", tier: "first class", why: map[string]string{"": notYet, realtest.Mastered: newestLong, realtest.Survived: oneMode, gap: noNumber}},
	{framework: "AReaL", version: "2.0.0", mode: "agent", tier: "first class", why: map[string]string{"": notYet, realtest.Mastered: newestLong, realtest.Survived: oneMode, gap: noNumber}},
	{framework: "AReaL", version: "1.0.4", mode: "workflow", tier: "first class", why: map[string]string{"": notYet}},
	{framework: "AReaL", version: "1.0.4", mode: "agent", tier: "first class", why: map[string]string{"": notYet, realtest.Survived: oneMode}},
	{framework: "AReaL", version: "1.0.2, 1.0.3", tier: "best effort", why: map[string]string{
		"": "no environment with it is part of the tests; its proxy and its configuration differ from those of 1.0.4",
	}},
	{framework: "TRL", version: "1.16.0", tier: "an example's", why: map[string]string{
		realtest.Planned: standIn, realtest.Smoked: noSmoke,
	}},
	{framework: "ms-swift", version: "4.6.0", tier: "an example's", why: map[string]string{
		realtest.Planned: standIn, realtest.Mastered: "the long run is played with TRL, whose loop and sampler are the same", realtest.Smoked: noSmoke,
	}},
	{framework: "local", version: "embedded", tier: "embedded", why: map[string]string{
		"":  "awhost's own trainer is tested with awhost itself (`go test ./...`), the quick start in CI: 30 % → 90 % and more in 60 steps",
		gap: "its sampler and its loss are the same code",
	}},
}
