package pythonplugin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
	"github.com/awhost/awhost/sdk/traceparent"
)

// agentValues lists the values that an agent may request through the names of its parameters.
var agentValues = []string{
	"task", "model", "tools", "env", "messages", "prompt", "episode_id", "traceparent", "endpoint", "mcp",
}

// agentConfig is the body of an agent "python" block. The host reads the attributes that all agents have in common.
type agentConfig struct {
	target
	sdk.AgentConfig
	sdk.GatewayConfig
	Workers       int               `json:"workers"`
	Env           map[string]string `json:"env"`
	PassEnv       []string          `json:"pass_env"` // the host passes them to this plugin, which passes on all it has
	ImportTimeout string            `json:"import_timeout"`
}

func agentComponent() sdk.AgentComponent {
	return sdk.AgentComponent{
		Component: sdk.Component{
			Type: "python", Description: "Your agent in a Python file: a function, or a class with a run " +
				"method.", Schema: agentSchema(),
			Validate: validateAgent,
		},
		New: func(ctx context.Context, setup sdk.Setup) (sdk.Agent, error) { return newAgent(ctx, setup) },
	}
}

func agentSchema() schema.Block {
	attributes := targetAttributes()
	for i := range attributes {
		switch attributes[i].Name {
		case "file":
			attributes[i].ExampleJSON = json.RawMessage(`"agents.py"`)
		case "name":
			attributes[i].Description = "The function, or the class with `run`, in the file."
			attributes[i].ExampleJSON = json.RawMessage(`"MathAgent"`)
		}
	}
	attributes = append(attributes, sdk.AgentAttributes()...)
	attributes = append(attributes, sdk.GatewayAttributes()...)
	return schema.Block{
		Description: "It receives the arguments that its parameters name: task, model, tools, env, messages, " +
			"prompt, episode_id, traceparent, endpoint, mcp. It returns the answer, a dict with \"answer\" and " +
			"other members, or None to use the model's last message.",
		Attributes: append(attributes,
			schema.Integer("workers", "Number of Python processes. By default, each runs 16 concurrent episodes before "+
				"another is started, up to one for each core and at most 16.").Range(1, 256).In("processes").CanResume(),
			schema.StringMap("env", "Environment variables for the processes."),
			schema.Strings("pass_env", "Variables to pass on from your environment or `.env`.").Example([]string{"API_KEY"}),
			schema.Duration("import_timeout", "Maximum duration of the import, at most 9m.").Default("9m").CanResume(),
		),
	}
}

// validateAgent checks the configuration without running any user code.
func validateAgent(ctx context.Context, config json.RawMessage) []sdk.Diagnostic {
	c := &agentConfig{}
	if err := sdk.DecodeConfig(config, c); err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Invalid configuration", Detail: err.Error()}}
	}
	if c.File == "" || c.Name == "" { // not known yet
		return nil
	}
	l, program, problem, err := c.loader(nil)
	if problem != nil {
		return []sdk.Diagnostic{*problem}
	}
	if err != nil || !program.own {
		return nil
	}
	return l.check(ctx)
}

// agent plays episodes with the user's function.
type agent struct {
	pool *processPool
	name string // for messages: "agents.py:solve"
}

func newAgent(ctx context.Context, setup sdk.Setup) (*agent, error) {
	c := &agentConfig{}
	if err := setup.Decode(c); err != nil {
		return nil, err
	}
	l, program, problem, err := c.loader(&setup)
	if problem != nil {
		return nil, &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{*problem}}
	}
	if err != nil {
		return nil, err
	}
	first, _, err := l.load(ctx)
	if err != nil {
		return nil, l.problem(err)
	}
	setup.Log.Info("loaded "+c.Name+" of "+l.file.path, "python", first.Executable, "version", first.Version, "taken",
		program.why)
	return &agent{pool: newProcessPool(l, c.Workers, first), name: l.name}, nil
}

// loader returns a loader for processes that run the agent. setup is nil if none of the agent's code will run.
func (c *agentConfig) loader(setup *sdk.Setup) (*loader, python, *sdk.Diagnostic, error) {
	program, problem := c.find()
	if problem != nil {
		return nil, program, problem, nil
	}
	timeout := loadTimeout
	if c.ImportTimeout != "" { // else it is not known yet
		var err error
		if timeout, err = time.ParseDuration(c.ImportTimeout); err != nil || timeout <= 0 || timeout > loadTimeout {
			return nil, program, about("import_timeout", "Invalid timeout", "Set a duration above 0 and up to 9m."), nil
		}
	}
	file, problem := c.read()
	if problem != nil {
		return nil, program, problem, nil
	}
	body, err := c.members(file, agentValues)
	if err != nil {
		return nil, program, nil, err
	}
	l := &loader{program: program, file: file, name: file.base() + ":" + c.Name, op: "load_agent",
		body: append(body, `,"batch":false`...), env: c.Env, timeout: timeout}
	if setup != nil {
		l.log = setup.Log
	}
	return l, program, nil, nil
}

// Run implements sdk.Agent.
func (a *agent) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	session sdk.AgentSession) (*sdk.AgentResponse, error) {
	s, err := a.pool.acquire(ctx, req.EpisodeID)
	if err != nil {
		return nil, a.blame(ctx, err)
	}
	p := newAgentEpisode(s, req, model, session)
	p.traceparent = traceparent.From(ctx)
	response, err := p.run(ctx)
	if died := a.pool.release(s, p.stuck); err != nil {
		return nil, a.explain(ctx, p, died, err)
	}
	return response, nil
}

// Stop ends the processes. Work in progress is lost.
func (a *agent) Stop(context.Context, func(string)) error {
	a.pool.close()
	return nil
}

var (
	_ sdk.Agent   = (*agent)(nil)
	_ sdk.Stopper = (*agent)(nil)
)
