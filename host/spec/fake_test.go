package spec_test

import (
	"errors"
	"slices"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// fakePlugins provides the component types for the specs of these tests.
type fakePlugins struct{}

var fakeComponents = []sdk.ComponentDescription{
	{Kind: sdk.KindEnvironment, Type: "calculator", Schema: schema.Block{
		Description: "Arithmetic tools.",
		Attributes: []schema.Attribute{
			schema.Integer("max_turns", "most turns").Default(4).Range(1, 100),
			schema.Strings("operations", "the tools").Default([]string{"add", "sub"}),
			schema.Number("max_sessions", "maximum concurrent episodes").Default(0).CanResume(),
		},
	}},
	{Kind: sdk.KindEnvironment, Type: "mcp", Schema: schema.Block{
		Description: "MCP servers.",
		Attributes: []schema.Attribute{
			schema.Path("import", "a file with servers"),
			{Name: "extra", Type: schema.TypeAny, Description: "anything"},
			{Name: "old", Type: schema.TypeString, Deprecated: "use import instead"},
		},
		Blocks: []schema.NestedBlock{
			{Name: "start", Nesting: schema.Single, Block: schema.Block{Attributes: []schema.Attribute{
				schema.Strings("command", "the start command").Require(),
				schema.Duration("patience", "how long to wait").Default("30s"),
			}}},
			{Name: "server", Nesting: schema.Map, Min: 1, Block: schema.Block{Attributes: []schema.Attribute{
				schema.String("url", "the address").Require().Example("http://localhost:5901"),
				schema.StringMap("headers", "sent with each request"),
				schema.String("token", "secret").Secret(),
				schema.Duration("timeout", "per call").Default("10m"),
			}}},
			{Name: "hook", Nesting: schema.List, Max: 2, Block: schema.Block{Attributes: []schema.Attribute{
				schema.Path("file", "a program").Require(),
			}}},
		},
	}},
	{Kind: sdk.KindEnvironment, Type: "servers", Schema: schema.Block{
		Description: "MCP servers from a file.",
		Attributes: []schema.Attribute{
			schema.MCPServers("import", "a file of servers").CanResume(), schema.Strings("tools", "patterns"),
		},
		Blocks: []schema.NestedBlock{{Name: "server", Nesting: schema.Map, Min: 1, Block: schema.Block{
			Attributes: []schema.Attribute{
				schema.Strings("command", "a program"), schema.StringMap("env", "variables"),
				schema.Path("cwd", "where").Default("."),
				schema.String("url", "an address"), schema.StringMap("headers", "headers"),
				schema.Duration("connect_timeout", "to connect").Default("30s"),
				schema.Duration("call_timeout", "a call").Default("10m"),
				schema.Duration("idle_timeout", "silence").Default("2m"),
			},
		}}},
	}},
	{Kind: sdk.KindAgent, Type: "shell", Schema: schema.Block{
		Attributes: []schema.Attribute{
			schema.String("preset", "a program that is known").Enum("good", "bad").
				Preset("good", map[string]any{"command": []string{"good"}, "env": map[string]string{"A": "1", "B": "2"},
					"wait": "90s"}).
				Preset("bad", map[string]any{"repeats": "replay"}),
			schema.Strings("command", "the program"), schema.StringMap("env", "variables"),
			schema.Duration("wait", "how long").Default("1s"), schema.String("repeats", "handling of them").Default("count"),
		},
	}},
	{Kind: sdk.KindAgent, Type: "script", Schema: schema.Block{
		Attributes: []schema.Attribute{
			schema.Path("file", "a program"), schema.Integer("max_turns", "most turns").Default(4),
		},
	}},
	{Kind: sdk.KindAgent, Type: "python", Agent: &sdk.AgentCapabilities{}, Schema: schema.Block{
		Description: "Your own Python.",
		Attributes: append(
			[]schema.Attribute{schema.String("name", "a function").Require()}, sdk.AgentAttributes()...,
		),
	}},
	{Kind: sdk.KindReward, Type: "gaia", RewardComponents: []string{"extracted", "exact", "numeric", "list"},
		Schema: schema.Block{
			Description: "Scores the final answer.",
			Attributes: []schema.Attribute{schema.String("compatibility",
				"which behaviour").Default("corrected").Enum("corrected", "reference")},
		}},
	{Kind: sdk.KindReward, Type: "python", ComponentsAttribute: "components", Schema: schema.Block{
		Attributes: []schema.Attribute{
			schema.Strings("components", "names in the returned dict"), schema.Path("file", "a Python file").Exist(),
		},
	}},
	{Kind: sdk.KindReward, Type: "format", Schema: schema.Block{
		Attributes: []schema.Attribute{schema.String("pattern", "a regular expression").Default(".*")},
	}},
	{Kind: sdk.KindAdapter, Type: "local", Schema: schema.Block{
		Attributes: []schema.Attribute{schema.String("preset", "size").Default("tiny").Enum("tiny", "small")},
		Blocks: []schema.NestedBlock{{Name: "warm_start", Nesting: schema.Single,
			Block: schema.Block{Attributes: []schema.Attribute{
				schema.Reference("dataset", "dataset", "the framework to imitate").Require(),
				schema.Number("steps", "updates").Default(400).Range(1, 1e5),
			}}}},
	}},
	{Kind: sdk.KindAdapter, Type: "verl", Schema: schema.Block{
		Attributes: []schema.Attribute{
			schema.Path("python", "interpreter"),
			{Name: "overrides", Type: schema.TypeAny, Description: "framework keys"},
			{Name: "extra_data", Type: `["list","ref:dataset"]`, Description: "more data"},
		},
	}},
}

func (fakePlugins) Component(kind, typ string) (*sdk.ComponentDescription, bool) {
	for i := range fakeComponents {
		if c := &fakeComponents[i]; string(c.Kind) == kind && c.Type == typ {
			return c, true
		}
	}
	return nil, false
}

func (fakePlugins) Types(kind string) []string {
	var types []string
	for _, c := range fakeComponents {
		if string(c.Kind) == kind {
			types = append(types, c.Type)
		}
	}
	slices.Sort(types)
	return types
}

func (fakePlugins) WhyUnknown(_, typ string) error {
	if typ == "mine" {
		return errors.New("the plugin mine was not accepted yet: run `awhost init`")
	}
	return nil
}

var _ spec.SchemaSourceWithReason = fakePlugins{}
