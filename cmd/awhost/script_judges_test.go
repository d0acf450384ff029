//go:build linux

package main

import (
	"context"

	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// payingPlugin returns a calculator with a turn reward: 0.25 for each message.
func payingPlugin() sdk.Plugin {
	desk := calculator.Plugin().Environments[0]
	desk.Type, desk.Schema, desk.Validate, desk.Capabilities = "paying", schema.Block{}, nil, plain
	inner := desk.New
	desk.New = func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
		environment, err := inner(ctx, setup)
		return paying{environment}, err
	}
	return sdk.Plugin{Name: "paying", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{desk}}
}

type paying struct{ sdk.Environment }

// Step implements sdk.Environment.
func (p paying) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	response, err := p.Environment.Step(ctx, req)
	if err == nil {
		quarter := 0.25
		response.TurnReward = &quarter
	}
	return response, err
}
