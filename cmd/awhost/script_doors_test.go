//go:build linux

package main

import (
	"context"
	"crypto/tls"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk/process/mtls"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// doorPatience bounds each call of a thief.
const doorPatience = 10 * time.Second

// tryDoors calls all servers next to this process: with its own identity, without a certificate, and without TLS.
func tryDoors(ctx context.Context, identity *mtls.Identity) {
	own := identity.Client().Certificates
	sockets, _ := filepath.Glob(filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "*"))
	for _, socket := range sockets {
		info, err := os.Stat(socket)
		if err != nil || info.Mode().Type() != os.ModeSocket {
			continue
		}
		door := "a plugin"
		if name := filepath.Base(socket); name == "host" || name == "control" {
			door = name
		}
		for how, secured := range map[string]credentials.TransportCredentials{
			"with its own certificate": credentials.NewTLS(&tls.Config{Certificates: own, InsecureSkipVerify: true}),
			"without a certificate":    credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}),
			"in the clear":             insecure.NewCredentials(),
		} {
			knock(ctx, door, how, "unix:"+socket, secured)
		}
	}
}

func knock(ctx context.Context, door, how, target string, secured credentials.TransportCredentials) {
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(secured))
	if err != nil {
		loot.note("tried " + door + " " + how + ": " + err.Error())
		return
	}
	defer conn.Close()
	calls := map[string]func(context.Context) error{"Score": func(ctx context.Context) error {
		_, err := awhostv1.NewRewardServiceClient(conn).Score(ctx, &awhostv1.ScoreRequest{})
		return err
	}, "Check": func(ctx context.Context) error {
		_, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
		return err
	}}
	if door != "a plugin" {
		calls = hostCalls(awhostv1.NewHostServiceClient(conn))
	}
	for name, call := range calls {
		ctx, cancel := context.WithTimeout(ctx, doorPatience)
		err := call(ctx)
		cancel()
		loot.note("tried " + name + " of " + door + " " + how + ": " + status.Code(err).String())
	}
}

// hostCalls returns the calls of adapters and agents.
func hostCalls(host awhostv1.HostServiceClient) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Tasks": func(ctx context.Context) error {
			stream, err := host.Tasks(ctx, &awhostv1.HostServiceTasksRequest{Split: awhostv1.Split_SPLIT_TRAIN})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		},
		"RunEpisode": func(ctx context.Context) error {
			stream, err := host.RunEpisode(ctx, &awhostv1.RunEpisodeRequest{EpisodeId: "e-mine", GroupId: "g-mine",
				GroupSize: 1})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		},
		"CancelEpisode": func(ctx context.Context) error {
			_, err := host.CancelEpisode(ctx, &awhostv1.CancelEpisodeRequest{EpisodeId: "e-mine"})
			return err
		},
		"StepBoundary": func(ctx context.Context) error {
			_, err := host.StepBoundary(ctx, &awhostv1.StepBoundaryRequest{Step: 1})
			return err
		},
		"AgentGenerate": func(ctx context.Context) error {
			_, err := host.AgentGenerate(ctx, &awhostv1.AgentGenerateRequest{})
			return err
		},
		"AgentStep": func(ctx context.Context) error {
			_, err := host.AgentStep(ctx, &awhostv1.AgentStepRequest{})
			return err
		},
	}
}
