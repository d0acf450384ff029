//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func init() {
	plays["clinging"] = clinging
	// If a script creates this file, plugins count as hung earlier than for users: the file contains the time.
	if raw, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "patience")); err == nil {
		check, err := time.ParseDuration(string(raw[:len(raw)-1]))
		if err != nil {
			panic(err)
		}
		pluginHealth = plugin.HealthPolicy{Check: check, Warn: 3 * check, End: 6 * check}
	}
}

// clinging serves a reward that leaves a process in a separate session and then stops itself, at a given point of its
// lifecycle. It reacts neither to requests nor to the end of its standard input, nor to SIGTERM.
func clinging() {
	if place, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "start")); err == nil && len(os.Args) == 1 {
		cling(string(place[:len(place)-1]))
	}
	config := schema.Block{Description: "Clings.", Attributes: []schema.Attribute{
		schema.Path("dir", "where it says that it has stopped itself").Require(),
		schema.String("at", "the place").Require().Enum("configure", "score", "stop"),
	}}
	sdk.Serve(sdk.Plugin{Name: "clinging", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "clinging", Description: "Clings.", Schema: config},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
			var c clings
			err := setup.Decode(&c)
			c.reach("configure")
			return c, err
		},
	}}})
}

// cling leaves a process behind, and stops.
func cling(dir string) {
	_ = escape(os.Environ(), "wait", dir, "session") // the process creates the file session
	for {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
}

type clings struct {
	Dir string `json:"dir"`
	At  string `json:"at"`
}

func (c clings) reach(place string) {
	if _, err := os.Stat(filepath.Join(c.Dir, "session")); place == c.At && err != nil { // once
		cling(c.Dir)
	}
}

// Score implements sdk.Reward.
func (c clings) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	c.reach("score")
	return worthless{}.Score(ctx, req)
}

// Stop implements sdk.Stopper.
func (c clings) Stop(context.Context, func(string)) error {
	c.reach("stop")
	return nil
}

var (
	_ sdk.Reward  = clings{}
	_ sdk.Stopper = clings{}
)
