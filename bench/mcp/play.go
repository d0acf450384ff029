package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/errgroup"

	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	"github.com/awhost/awhost/sdk"
)

// player opens episodes.
type player interface {
	open(ctx context.Context, id string) (episode, error)
}

// episode makes calls sequentially.
type episode interface {
	call(ctx context.Context, n int) (text string, err error)
	close(ctx context.Context) error
}

// play opens all episodes and then makes each episode's calls.
func play(ctx context.Context, o options, p player) error {
	episodes := make([]episode, o.episodes)
	group, opening := errgroup.WithContext(ctx)
	for i := range episodes {
		group.Go(func() (err error) {
			episodes[i], err = p.open(opening, fmt.Sprintf("e%d", i))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	group, playing := errgroup.WithContext(ctx)
	for _, e := range episodes {
		group.Go(func() error {
			for n := range o.calls {
				if text, err := e.call(playing, n); err != nil || text != result(n) {
					return fmt.Errorf("call %d: %q, %w", n, text, err)
				}
			}
			return e.close(playing)
		})
	}
	return group.Wait()
}

// alone is mcp-go's client, used as its documentation shows, with one client per episode.
type alone struct{ url string }

type clientEpisode struct{ *client.Client }

func (a *alone) open(ctx context.Context, _ string) (episode, error) {
	c, err := client.NewStreamableHttpClient(a.url)
	if err != nil {
		return nil, err
	}
	if err := c.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	request.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, request); err != nil {
		return nil, err
	}
	_, err = c.ListTools(ctx, mcp.ListToolsRequest{})
	return clientEpisode{c}, err
}

func (e clientEpisode) call(ctx context.Context, n int) (string, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = "add_7", arguments(n)
	out, err := e.CallTool(ctx, request)
	if err != nil || len(out.Content) != 1 {
		return "", err
	}
	text, _ := out.Content[0].(mcp.TextContent)
	return text.Text, nil
}

func (e clientEpisode) close(context.Context) error { return e.Close() }

// environment is the environment "mcp" behind its protocol.
type environment struct {
	plugin *sdk.InProcess
	remote sdk.Environment
}

func newEnvironment(ctx context.Context, url string) (*environment, error) {
	plugin, err := sdk.ServeInProcess(mcpenv.Plugin(), nil, nil)
	if err != nil {
		return nil, err
	}
	block := mcpenv.Plugin().Environments[0].Schema
	config, err := block.Complete(json.RawMessage(fmt.Sprintf(`{"server":{"bench":{"url":%q}}}`, url)))
	if err != nil {
		return nil, err
	}
	problems, err := plugin.Configure(ctx, sdk.ConfigureRequest{
		Kind: sdk.KindEnvironment, Type: "mcp", Config: config, RunID: "bench", Incarnation: 1,
	})
	if err != nil || len(problems) > 0 {
		return nil, fmt.Errorf("configure: %v, %w", problems, err)
	}
	return &environment{plugin, sdk.RemoteEnvironment(plugin.Conn, "environment.mcp.bench")}, nil
}

func (e *environment) close() { e.plugin.Close() }

type opened struct {
	*environment
	id string
}

func (e *environment) open(ctx context.Context, id string) (episode, error) {
	_, err := e.remote.Open(ctx, sdk.OpenRequest{
		EpisodeID: id, Split: sdk.SplitTrain, Task: sdk.Task{ID: "t", Public: json.RawMessage(`{"prompt":"?"}`)},
	})
	return opened{e, id}, err
}

func (o opened) call(ctx context.Context, n int) (string, error) {
	out, err := o.remote.Step(ctx, sdk.StepRequest{
		EpisodeID: o.id, StepID: fmt.Sprint("s", n),
		Message: sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{
			{ID: "c", Name: "add_7", Arguments: string(arguments(n))},
		}},
	})
	if err != nil || len(out.Messages) != 1 {
		return "", err
	}
	return out.Messages[0].Content, nil
}

func (o opened) close(ctx context.Context) error {
	_, err := o.remote.Close(ctx, sdk.CloseRequest{EpisodeID: o.id, Reason: "done"})
	return err
}
