// Command stuck is the calculator, except that in some episodes it receives a message and never answers. It cannot be
// interrupted, like a simulator in a deadlock.
package main

import (
	"context"
	"hash/crc32"

	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
)

func main() { sdk.Serve(plugin()) }

func plugin() sdk.Plugin {
	component := calculator.Plugin().Environments[0]
	component.Type, component.Description = "stuck", "A calculator that hangs in one of eight episodes."
	component.Capabilities.Snapshot, component.Capabilities.Tasks = false, false
	open := component.New
	component.New = func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
		calculator, err := open(ctx, setup)
		return &environment{calculator}, err
	}
	return sdk.Plugin{Name: "stuck", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{component}}
}

// environment has the calculator's methods, except Step.
type environment struct{ sdk.Environment }

// Step implements sdk.Environment.
func (e *environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if crc32.ChecksumIEEE([]byte(req.EpisodeID))%8 == 0 {
		select {}
	}
	return e.Environment.Step(ctx, req)
}
