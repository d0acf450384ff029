package mcpenv_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
)

// asPlugin runs the test binary as the plugin.
const asPlugin = "MCPENV_TEST_PLUGIN"

func TestMain(m *testing.M) {
	mcptest.Main()
	if os.Getenv(asPlugin) != "" {
		sdk.Serve(mcpenv.Plugin())
		return
	}
	goleak.VerifyTestMain(m)
}
