package bridge_test

import (
	"testing"

	"github.com/awhost/awhost/sdk/bridge"
)

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "[::1]:80": true, "localhost:1": true, "0.0.0.0:0": false, "10.0.0.1:1": false,
		"127.example:1": false, "nonsense": false,
	} {
		if got := bridge.Loopback(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
