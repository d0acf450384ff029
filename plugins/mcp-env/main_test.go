package mcpenv_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
)

func TestMain(m *testing.M) {
	mcptest.Main()
	goleak.VerifyTestMain(m)
}
