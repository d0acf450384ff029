package sdk

import (
	"context"

	"google.golang.org/grpc"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// RemoteAgent returns a client for an agent. Each Run has its own lease, which can be used only by holder, the plugin's
// instance. leases must be the leases that the host serves.
func RemoteAgent(conn grpc.ClientConnInterface, leases *Leases, holder string) Agent {
	return remoteAgent{client: awhostv1.NewAgentServiceClient(conn), leases: leases, holder: holder}
}

type remoteAgent struct {
	client awhostv1.AgentServiceClient
	leases *Leases
	holder string
}

// Run implements Agent. When it returns, none of the agent's calls are running, and further calls are rejected.
func (r remoteAgent) Run(ctx context.Context, req AgentRequest, model AgentModel, session AgentSession) (*AgentResponse,
	error) {
	lease, end := r.leases.Grant(ctx, r.holder, model, session)
	defer end()
	out, err := r.client.Run(ctx, agentRequestToWire(lease, req))
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return agentResponseFromWire(out)
}

var _ Agent = remoteAgent{}
