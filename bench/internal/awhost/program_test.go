package awhost

import (
	"testing"

	"github.com/awhost/awhost/sdk"
)

func TestIsPlugin_TellsItsCallers(t *testing.T) {
	if IsPlugin([]string{"turn", "-turns", "3"}) {
		t.Error("a person who measures is taken for the host")
	}
	t.Setenv(sdk.Handshake.MagicCookieKey, sdk.Handshake.MagicCookieValue)
	if !IsPlugin([]string{"turn"}) {
		t.Error("the host is taken for a person")
	}
}
