package bridge_test

import (
	"net"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/bridge"
)

func TestPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := taken.Addr().String()
	if r := bridge.Port(address); r.Met || !strings.Contains(r.Detail, "address already in use") ||
		!strings.Contains(r.Detail, "port 0") {
		t.Errorf("a port that is taken: %+v", r)
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	for address, met := range map[string]bool{address: true, "127.0.0.1:0": true, "127.0.0.1": false,
		"127.0.0.1:http-of-mars": false} {
		if r := bridge.Port(address); r.Met != met || r.Kind != "port" || !strings.HasPrefix(r.Detail, "the bridge: ") {
			t.Errorf("%s: %+v, want met %v", address, r, met)
		}
	}
}
