package envservice

import (
	"os"
	"syscall"
	"testing"

	"github.com/awhost/awhost/internal/envworld"
	"github.com/awhost/awhost/sdk"
	sdkclient "github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// startPluginProcess starts the plugin in a separate process.
func startPluginProcess(t *testing.T, url, folder string) *sdkclient.Plugin {
	t.Helper()
	sockets, err := process.NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	p, err := sdkclient.Start(t.Context(), sdkclient.Config{
		Name: "world", Run: "test", Command: []string{os.Args[0]}, Env: map[string]string{asPlugin: "1"},
		Authority: authority, SocketDir: sockets,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		_ = process.RemoveSocketDir(sockets)
	})
	problems, err := p.Configure(t.Context(), sdk.ConfigureRequest{
		Kind: sdk.KindEnvironment, Type: "env_service", RunID: "test", Incarnation: 1, Dir: folder,
		Config: []byte(`{"url":"` + url + `","env_type":"sums"}`),
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return p
}

// The open instances of a killed process are released by the run's next process.
func TestInstancesOfAKilledProcessAreReleased(t *testing.T) {
	world, folder := envworld.New(t), t.TempDir()
	first := startPluginProcess(t, world.URL, folder)
	for _, id := range []string{"e1", "e2"} {
		request := sdk.OpenRequest{EpisodeID: id, Task: sdk.Task{ID: "1+2", Public: []byte(`{}`)}}
		if _, err := first.Environment().Open(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Kill(first.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-first.Done()
	if open := world.Open(); len(open) != 2 {
		t.Fatalf("open: %v", open)
	}
	startPluginProcess(t, world.URL, folder)
	eventually(t, "both are released", func() bool { return len(world.Open()) == 0 })
}
