package bridge

import (
	"fmt"
	"net"

	"github.com/awhost/awhost/sdk"
)

// Port returns a bridge's listen address as a requirement of a plan. The requirement is not met if the address is in
// use. Port 0 selects a free port when the bridge is started.
func Port(address string) sdk.Requirement {
	host, port, err := net.SplitHostPort(address)
	if err == nil && port == "0" {
		return sdk.Requirement{Kind: "port", Detail: "the bridge: any free port of " + host, Met: true}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return sdk.Requirement{Kind: "port", Detail: fmt.Sprintf("the bridge: %v. Change listen in the bridge "+
			"block; port 0 selects any free port", err)}
	}
	if err := listener.Close(); err != nil {
		return sdk.Requirement{Kind: "port", Detail: fmt.Sprintf("the bridge: %v", err)}
	}
	return sdk.Requirement{Kind: "port", Detail: "the bridge: " + address, Met: true}
}
