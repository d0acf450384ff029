package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// The content of a turn: an observation, tools with their schemas, and an answer with a call.
var (
	observation = []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "call_1_0", Name: "calc",
		Content: strings.Repeat("The result is 42. ", 12)}}
	tools = []sdk.Tool{
		{Name: "calc", Description: "Evaluates an expression.",
			Parameters: []byte(`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`)},
		{Name: "search", Description: "Looks something up.",
			Parameters: []byte(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`)},
	}
	answer = sdk.GenerateResponse{
		Message: sdk.Message{
			Role: sdk.RoleAssistant, Content: strings.Repeat("Let me see what comes next. ", 10),
			ToolCalls: []sdk.ToolCall{{ID: "call_2_0", Name: "calc", Arguments: `{"expression": "6 * 7"}`}},
		},
		Finish: sdk.FinishToolCalls, PromptTokens: 812, OutputTokens: 94, RemainingTokens: 3190, Chain: "episode/a1/c1",
		ChainDigest: strings.Repeat("0123456789abcdef", 4), Versions: []sdk.VersionSpan{{Version: 12, Tokens: 94}},
	}
)

// host requests the messages of an episode, one after another.
type host struct {
	turns  int
	server *bridge.Server
}

func (h *host) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	chain := ""
	for turn := range h.turns {
		response, err := h.server.Generate(ctx, request(req.EpisodeID, chain, turn))
		if err != nil {
			return nil, err
		}
		chain = response.Chain
	}
	reward := 1.0
	return &sdk.EpisodeResult{
		EpisodeID: req.EpisodeID, Attempt: 1, Outcome: sdk.OutcomeScored, Reward: &reward, NumTurns: h.turns,
		Chains: []sdk.ChainResult{{Chain: chain, Train: true}},
	}, nil
}

func request(episode, chain string, turn int) sdk.GenerateRequest {
	temperature := 1.0
	return sdk.GenerateRequest{
		EpisodeID: episode, Attempt: 1, CallID: fmt.Sprintf("%s/1/%d", episode, turn), Chain: chain, Base: 2 * turn,
		Messages: observation, Tools: tools,
		Sampling: sdk.Sampling{Temperature: &temperature, MaxTokens: 512}, Trainable: true, Seed: 42, Deadline: time.Minute,
	}
}

func (*host) Boundary(context.Context, bridge.Worker, sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	return nil, errors.New("this benchmark does not train")
}

func (*host) Event(context.Context, bridge.Worker, sdk.TrainEvent) error { return nil }

// measureBridge starts a server in this process and a worker process.
func measureBridge(ctx context.Context, o options, concurrency int) (_ measured, err error) {
	dir, err := os.MkdirTemp("", "awhost-bench-")
	if err != nil {
		return measured{}, err
	}
	defer os.RemoveAll(dir)
	h := &host{turns: o.perEpisode}
	if h.server, err = bridge.Listen(bridge.Options{Dir: dir, Run: "bench", Epoch: 1, Handler: h, Credits: concurrency,
		TLS: o.secured}); err != nil {
		return measured{}, err
	}
	defer func() { err = errors.Join(err, h.server.Close(ctx)) }()
	w, err := startWorker(ctx, h.server.EndpointFile(), concurrency)
	if err != nil {
		return measured{}, err
	}
	defer func() { err = errors.Join(err, w.orders.Close(), w.process.Wait()) }()
	if err := w.round(concurrency); err != nil { // warm-up
		return measured{}, err
	}
	episodes := (o.turns + o.perEpisode - 1) / o.perEpisode
	watch := startWatch(w.process.Process.Pid)
	if err := w.round(episodes); err != nil {
		return measured{}, err
	}
	return watch.stop(episodes*o.perEpisode, episodes*(2*o.perEpisode+2)), nil
}

// workerProcess plays the requested number of episodes and reports when it has finished.
type workerProcess struct {
	process     *exec.Cmd
	orders      io.WriteCloser
	reports     *bufio.Scanner
	concurrency int
}

func startWorker(ctx context.Context, endpointFile string, concurrency int) (*workerProcess, error) {
	cmd, err := program.Self(ctx, "-worker", endpointFile)
	if err != nil {
		return nil, err
	}
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	reports, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w := &workerProcess{process: cmd, orders: orders, reports: bufio.NewScanner(reports), concurrency: concurrency}
	return w, cmd.Start()
}

func (w *workerProcess) round(episodes int) error {
	if _, err := fmt.Fprintln(w.orders, episodes, w.concurrency); err != nil {
		return err
	}
	if !w.reports.Scan() {
		return errors.New("the worker has ended")
	}
	return nil
}

// work implements the worker. For each line with two numbers, it runs that many episodes at that concurrency and
// reports when they are done.
func work(ctx context.Context, endpoint string, orders io.Reader) error {
	w, err := bridgetest.Start(ctx, bridgetest.Options{
		EndpointFile: endpoint, Sample: func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			out := answer
			out.ChainLength = req.Base + 2
			return &out, nil
		},
	})
	if err != nil {
		return err
	}
	defer w.Kill()
	for next := 0; ; {
		var episodes, concurrency int
		if _, err := fmt.Fscanln(orders, &episodes, &concurrency); err != nil {
			return w.Close(ctx)
		}
		if err := runEpisodes(ctx, w, next, episodes, concurrency); err != nil {
			return err
		}
		next += episodes
		fmt.Println("done")
	}
}

func runEpisodes(ctx context.Context, w *bridgetest.Worker, first, episodes, concurrency int) error {
	ids := make(chan int)
	failures := make(chan error, concurrency)
	var group sync.WaitGroup
	for range concurrency {
		group.Go(func() {
			var failure error
			for id := range ids {
				if failure == nil {
					_, failure = w.RunEpisode(ctx, sdk.EpisodeRequest{EpisodeID: fmt.Sprintf("main/train/s00001/g%06d", id),
						GroupSize: 1, Stage: "main", Split: sdk.SplitTrain})
				}
			}
			failures <- failure
		})
	}
	for i := range episodes {
		ids <- first + i
	}
	close(ids)
	group.Wait()
	close(failures)
	var all error
	for err := range failures {
		all = errors.Join(all, err)
	}
	return all
}
