//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func init() {
	plays["gushing"] = func() { sdk.Serve(gushingPlugin()) }
	scriptCommands["peakmemory"] = peakMemory // peakmemory NAME MIB: the program has never used more memory
	scriptCommands["nobigger"] = noBigger     // nobigger MIB PATTERN...: the existing matching files together
}

// gushingPlugin returns a reward that writes as fast as it can before it scores. Its first process writes lines and
// records, and crashes. Its second writes one endless line, and binary data. Then it waits for `on` in its directory.
func gushingPlugin() sdk.Plugin {
	config := schema.Block{Description: "Gushes.", Attributes: []schema.Attribute{
		schema.Path("dir", "`died` and `flooded` in it say how far it is").Require(),
		schema.Number("mebibytes", "how much the first process writes; 0: all are quiet").Require(),
	}}
	return sdk.Plugin{Name: "gushing", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "gushing", Description: "Gushes.", Schema: config},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
			g := &gush{}
			return g, setup.Decode(g)
		},
	}}}
}

type gush struct {
	Dir       string `json:"dir"`
	Mebibytes int    `json:"mebibytes"`
	once      sync.Once
	err       error
}

// Score implements sdk.Reward.
func (g *gush) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	if g.Mebibytes > 0 {
		g.once.Do(func() { g.err = g.flood(ctx) })
	}
	if g.err != nil {
		return nil, g.err
	}
	return worthless{}.Score(ctx, req)
}

func (g *gush) flood(ctx context.Context) error {
	died := filepath.Join(g.Dir, "died")
	if _, err := os.Stat(died); errors.Is(err, fs.ErrNotExist) {
		line := append(bytes.Repeat([]byte("loss=0.1 "), 14), '\n')
		record := []byte(`{"@level":"info","@message":"loss 0.1","@timestamp":"2026-01-01T00:00:00Z"}` + "\n")
		var both sync.WaitGroup
		both.Go(func() { pour(os.Stdout, line, g.Mebibytes/2) })
		both.Go(func() { pour(os.Stderr, record, g.Mebibytes/2) })
		both.Wait()
		if err := os.WriteFile(died, nil, 0o644); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "\ndrowned in its own log")
		os.Exit(9)
	}
	garbage := make([]byte, 1<<10)
	for i := range garbage {
		garbage[i] = byte(i * 7) // all byte values, including zeros and escapes
	}
	pour(os.Stderr, garbage, 8)
	pour(os.Stdout, garbage, 8)
	pour(os.Stderr, bytes.Repeat([]byte("x"), 1<<10), 64)
	if err := os.WriteFile(filepath.Join(g.Dir, "flooded"), nil, 0o644); err != nil {
		return err
	}
	return awaitFile(ctx, filepath.Join(g.Dir, "on"))
}

// pour writes some mebibytes of a pattern. The reader may be slow, but must not stop.
func pour(to *os.File, pattern []byte, mebibytes int) {
	chunk := bytes.Repeat(pattern, (64<<10)/len(pattern))
	for left := mebibytes << 20; left > 0; left -= len(chunk) {
		if _, err := to.Write(chunk); err != nil {
			panic(err)
		}
	}
}

func awaitFile(ctx context.Context, path string) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func peakMemory(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "peakmemory NAME MIB")
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", find(ts, args[0]).cmd.Process.Pid))
	ts.Check(err)
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if peak == nil {
		ts.Fatalf("no peak in %s", text)
	}
	mebibytes := number(ts, string(peak[1])) >> 10
	ts.Logf("it has had %d MiB", mebibytes)
	if limit := number(ts, args[1]); mebibytes > limit {
		ts.Fatalf("%d MiB, want at most %d", mebibytes, limit)
	}
}

func noBigger(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 1, "nobigger MIB PATTERN...")
	var bytes int64
	for _, pattern := range args[1:] {
		files, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		if len(files) == 0 {
			ts.Fatalf("%s does not exist", pattern)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			ts.Check(err)
			bytes += info.Size()
		}
	}
	ts.Logf("%d bytes", bytes)
	if limit := int64(number(ts, args[0])) << 20; bytes > limit {
		ts.Fatalf("%v: %d bytes, want at most %d", args[1:], bytes, limit)
	}
}

var _ sdk.Reward = (*gush)(nil)
