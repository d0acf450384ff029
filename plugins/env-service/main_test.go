package envservice

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/internal/envworld"
	"github.com/awhost/awhost/sdk"
)

// Variables that change the role of the test binary: a world, which writes its URL to a file, or the plugin.
const (
	asWorld  = "AWHOST_ENVWORLD"
	asPlugin = "AWHOST_ENVSERVICE_PLUGIN"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(asWorld); file != "" {
		serveWorld(file)
		return
	}
	if os.Getenv(asPlugin) != "" {
		sdk.Serve(Plugin())
		return
	}
	goleak.VerifyTestMain(m)
}

// serveWorld serves until a signal arrives.
func serveWorld(file string) {
	world := envworld.Start()
	defer world.Close()
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT)
	if err := os.WriteFile(file+".new", []byte(world.URL), 0o644); err != nil {
		panic(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		panic(err)
	}
	<-end
}
