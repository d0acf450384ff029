//go:build unix

package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// roles maps names to the programs of the test binary: a plugin, an invalid plugin, a child of a plugin, a host.
var roles = map[string]func(){
	"plugin": func() { sdk.Serve(testPlugin()) },
	"deaf": func() {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		sdk.Serve(testPlugin())
	},
	"noisy": func() {
		fmt.Println("loading torch …")
		fmt.Println(strings.Repeat("x", 300_000)) // longer than a pipe and than any buffer
		fmt.Print("no newline at the end of this: ", strings.Repeat("y", 70_000), "\n")
		sdk.Serve(testPlugin())
	},
	"babbler": func() {
		for range 40 {
			fmt.Println(strings.Repeat("z", 60_000))
		}
		ignoreSIGTERM()
	},
	"hang": func() {
		fmt.Fprintln(os.Stderr, "loading 70B weights")
		ignoreSIGTERM()
	},
	"exit": func() {
		fmt.Fprintln(os.Stderr, "no module named torch")
		os.Exit(42)
	},
	"panic": func() { panic("no GPU") },
	"next version": func() {
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: sdk.Handshake, GRPCServer: goplugin.DefaultGRPCServer, Logger: hclog.NewNullLogger(),
			VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion + 1: {"awhost": emptyPlugin{}}},
		})
	},
	"without tls": func() {
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: sdk.Handshake, GRPCServer: goplugin.DefaultGRPCServer, Logger: hclog.NewNullLogger(),
			VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion: {"awhost": emptyPlugin{}}},
		})
	},
	"net rpc": func() {
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: sdk.Handshake, Logger: hclog.NewNullLogger(),
			VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion: {"awhost": emptyPlugin{}}},
		})
	},
	"other core": func() {
		fmt.Println("2|1|unix|/nowhere|grpc|")
		ignoreSIGTERM()
	},
	"no last bar": func() {
		fmt.Println("1|1|unix|/nowhere|grpc")
		ignoreSIGTERM()
	},
	"crashes after its handshake": func() {
		fmt.Println("1|1|unix|/nowhere|grpc|")
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(7)
	},
	"child": ignoreSIGTERM,
	"host":  playHost,
}

// ignoreSIGTERM sleeps longer than any test takes.
func ignoreSIGTERM() { time.Sleep(10 * time.Minute) }

// emptyPlugin is a plugin without services.
type emptyPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (emptyPlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error { return nil }

func (emptyPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("this is the plugin's side")
}

// playHost starts a plugin, prints its pid and its socket directory, and waits to be killed.
func playHost() {
	sockets, err := process.NewSocketDir()
	if err != nil {
		panic(err)
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		panic(err)
	}
	p, err := client.Start(context.Background(), client.Config{
		Name: "orphan", Command: []string{os.Args[0]}, Authority: authority, SocketDir: sockets,
		Env: map[string]string{envRole: os.Getenv("AWHOST_TEST_PLAYS")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.PID(), sockets)
	ignoreSIGTERM()
}

// testPlugin returns a plugin that misbehaves on request.
func testPlugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "test", Version: "1.2.3",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{Type: "obedient", Description: "Executes the answer."},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
				setup.Log.Info("configured", "run", setup.RunID)
				return commandReward{}, nil
			},
		}},
	}
}

// commandReward reads a command and its argument from the answer of the single item.
type commandReward struct{}

// Score implements sdk.Reward.
func (commandReward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	command, argument, _ := strings.Cut(req.Items[0].FinalAnswer, " ")
	answer, err := commands[command](ctx, argument)
	if err != nil {
		return nil, err
	}
	return &sdk.ScoreResponse{Items: []sdk.Scored{{Score: float64(answer)}}}, nil
}

var commands = map[string]func(ctx context.Context, argument string) (int, error){
	"length": func(_ context.Context, argument string) (int, error) { return len(argument), nil },
	"panic":  func(_ context.Context, argument string) (int, error) { panic(argument) },
	"exit": func(_ context.Context, argument string) (int, error) {
		code, err := strconv.Atoi(argument)
		if err == nil {
			os.Exit(code)
		}
		return 0, err
	},
	"print": func(_ context.Context, argument string) (int, error) { return fmt.Println(argument) },
	"log":   func(_ context.Context, argument string) (int, error) { return fmt.Fprintln(os.Stderr, argument) },
	"wait": func(ctx context.Context, _ string) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	},
	// A panic outside of any call ends the process.
	"crash": func(ctx context.Context, argument string) (int, error) {
		go panic(argument)
		<-ctx.Done()
		return 0, ctx.Err()
	},
	// Returns the number of environment entries that start with the argument.
	"env": func(_ context.Context, argument string) (n int, err error) {
		for _, entry := range os.Environ() {
			if strings.HasPrefix(entry, argument) {
				n++
			}
		}
		return n, nil
	},
	// Writes 20 times 70 kB without a newline to the raw file descriptor.
	"flood": func(_ context.Context, argument string) (n int, err error) {
		fd, err := strconv.Atoi(argument)
		if err != nil {
			return 0, err
		}
		for range 20 {
			for rest := bytes.Repeat([]byte("f"), 70_000); len(rest) > 0; {
				written, err := syscall.Write(fd, rest)
				if err != nil {
					return n, err
				}
				rest, n = rest[written:], n+written
			}
		}
		return n, nil
	},
	// Starts a child that outlives the call and holds standard output and error; with "session" it leaves the process
	// group.
	"spawn": func(_ context.Context, argument string) (int, error) {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), envRole+"=child")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if argument == "session" {
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}
		if err := child.Start(); err != nil {
			return 0, err
		}
		return child.Process.Pid, nil
	},
}

// Stop implements sdk.Stopper.
func (commandReward) Stop(_ context.Context, progress func(string)) error {
	progress("checkpoint 1/2")
	progress("checkpoint 2/2")
	return nil
}

var (
	_ sdk.Reward          = commandReward{}
	_ sdk.Stopper         = commandReward{}
	_ goplugin.GRPCPlugin = emptyPlugin{}
)
