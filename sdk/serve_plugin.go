package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/internal/multiplex"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// configured holds a component, which exists after Configure has run.
type configured[T any] struct {
	mu    sync.RWMutex
	value T
	needs []Need
	ready bool
}

func (c *configured[T]) set(v T, needs []Need) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.needs, c.ready = v, needs, true
}

// hasNeed reports whether the component has declared the need n. Components that have not declared the need do not
// receive it.
func (c *configured[T]) hasNeed(n Need) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Contains(c.needs, n)
}

func (c *configured[T]) get() (T, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.ready {
		return c.value, status.Error(codes.FailedPrecondition, "the component is not configured: call Configure first")
	}
	return c.value, nil
}

// pluginServer serves PluginService and owns the process's only component.
type pluginServer struct {
	awhostv1.UnimplementedPluginServiceServer
	plugin Plugin
	log    *slog.Logger
	dial   func(*awhostv1.HostAddress) (*grpc.ClientConn, error)

	environment configured[Environment]
	reward      configured[Reward]
	adapter     configured[Adapter]
	agent       configured[Agent]

	reused bool // after Stop the process may be configured again

	mu      sync.Mutex
	request *awhostv1.ConfigureRequest // as accepted
	conn    *grpc.ClientConn
	host    Host            // the host, reached over conn
	calls   *multiplex.Conn // conn, for calls of agents
}

// register registers the services of p's components on server.
func register(server grpc.ServiceRegistrar, p Plugin, log *slog.Logger,
	dial func(*awhostv1.HostAddress) (*grpc.ClientConn, error)) *pluginServer {
	s := &pluginServer{plugin: p, log: log, dial: dial}
	awhostv1.RegisterPluginServiceServer(server, s)
	awhostv1.RegisterEnvironmentServiceServer(server, newEnvironmentServer(&s.environment))
	awhostv1.RegisterRewardServiceServer(server, &rewardServer{component: &s.reward})
	awhostv1.RegisterAdapterServiceServer(server, newAdapterServer(&s.adapter, s.hostClient))
	awhostv1.RegisterAgentServiceServer(server, &agentServer{component: &s.agent, host: s.hostCalls})
	return s
}

// Describe implements PluginService.
func (s *pluginServer) Describe(context.Context, *awhostv1.DescribeRequest) (*awhostv1.DescribeResponse, error) {
	return descriptionToWire(s.plugin.Describe()), nil
}

// ValidateConfig implements PluginService.
func (s *pluginServer) ValidateConfig(ctx context.Context,
	req *awhostv1.ValidateConfigRequest) (*awhostv1.ValidateConfigResponse, error) {
	component, _, err := s.find(req.GetKind(), req.GetType())
	if err != nil {
		return nil, err
	}
	config := req.GetConfig().GetJson()
	if err := checkObject(config); err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "validate the configuration of %s: %v", component.Type, err)
	}
	var found []Diagnostic
	for _, p := range component.Schema.Problems(config) { // the host's own checks, for callers other than the host
		found = append(found, Diagnostic{
			Severity: SeverityError, Summary: "Invalid " + strings.Join(p.Path, "."), Detail: p.Detail + ".", Path: p.Path,
		})
	}
	if component.Validate != nil && len(found) == 0 {
		found = component.Validate(ctx, config)
	}
	out := &awhostv1.ValidateConfigResponse{}
	if probe := probes.toGo[req.GetProbe()]; probe != "" && component.Probe != nil && !hasErrors(found) {
		probed := component.Probe(ctx, config, probe)
		found = append(found, probed.Diagnostics...)
		out.Offered = toolSetToWire(probed.Tools)
	}
	out.Diagnostics = diagnosticsToWire(found)
	return out, nil
}

func hasErrors(found []Diagnostic) bool {
	return slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Severity == SeverityError })
}

// checkObject checks that the configuration is a JSON object. An empty configuration is valid.
func checkObject(config []byte) error {
	if len(config) == 0 {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(config, &object); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if object == nil {
		return errors.New("null is not a JSON object")
	}
	return nil
}

// find returns a component and its constructor.
func (s *pluginServer) find(kind awhostv1.ComponentKind, typ string) (Component, func(context.Context, Setup) error,
	error) {
	switch kinds.toGo[kind] {
	case KindEnvironment:
		for _, c := range s.plugin.Environments {
			if c.Type == typ {
				return c.Component, create(newDeclaredEnvironment(c), c.Capabilities.needsFor, &s.environment), nil
			}
		}
	case KindReward:
		for _, c := range s.plugin.Rewards {
			if c.Type == typ {
				return c.Component, create(c.New, fixedNeeds(c.Capabilities.Needs), &s.reward), nil
			}
		}
	case KindAdapter:
		for _, c := range s.plugin.Adapters {
			if c.Type == typ {
				return c.Component, create(newDeclaredAdapter(c), fixedNeeds(nil), &s.adapter), nil
			}
		}
	case KindAgent:
		for _, c := range s.plugin.Agents {
			if c.Type == typ {
				return c.Component, create(c.New, fixedNeeds(c.Capabilities.Needs), &s.agent), nil
			}
		}
	}
	return Component{}, nil, status.Errorf(codes.NotFound, "plugin %s has no %s %q", s.plugin.Name, kinds.toGo[kind], typ)
}

// newDeclaredEnvironment creates an environment and checks that it implements the capabilities that it declares,
// because the host relies on them.
func newDeclaredEnvironment(c EnvironmentComponent) func(context.Context, Setup) (Environment, error) {
	return func(ctx context.Context, setup Setup) (Environment, error) {
		environment, err := c.New(ctx, setup)
		if err != nil {
			return nil, err
		}
		if _, ok := environment.(EnvironmentWithSnapshot); c.Capabilities.Snapshot && !ok {
			return nil, fmt.Errorf("its capabilities declare snapshot, but %T has no method Snapshot "+
				"(sdk.EnvironmentWithSnapshot)", environment)
		}
		if _, ok := environment.(EnvironmentWithTasks); c.Capabilities.Tasks && !ok {
			return nil, fmt.Errorf("its capabilities declare tasks, but %T has no Tasks method "+
				"(sdk.EnvironmentWithTasks)", environment)
		}
		return environment, nil
	}
}

// fixedNeeds returns the needs that do not depend on the configuration.
func fixedNeeds(needs []Need) func(json.RawMessage) []Need {
	return func(json.RawMessage) []Need { return needs }
}

// create returns a function that creates a component and stores it in a configuration together with its needs.
func create[T any](
	construct func(context.Context, Setup) (T, error), needs func(config json.RawMessage) []Need, into *configured[T],
) func(context.Context, Setup) error {
	return func(ctx context.Context, setup Setup) error {
		v, err := construct(ctx, setup)
		if err != nil {
			return err
		}
		into.set(v, needs(setup.Config))
		return nil
	}
}

// Configure implements PluginService.
func (s *pluginServer) Configure(ctx context.Context, req *awhostv1.ConfigureRequest) (*awhostv1.ConfigureResponse,
	error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reused && s.request != nil && !proto.Equal(s.request, req) {
		s.reset() // the host was killed before it could stop the component
	}
	if s.request != nil {
		if proto.Equal(s.request, req) {
			return s.configuredResponse(), nil
		}
		return nil, status.Error(codes.FailedPrecondition, "configure: the process is already configured; start "+
			"another process for another configuration")
	}
	_, construct, err := s.find(req.GetKind(), req.GetType())
	if err != nil {
		return nil, err
	}
	conn, err := s.dialHost(req)
	if err != nil {
		return nil, err
	}
	defer func() {
		if conn != nil && s.conn != conn { // New failed: a later Configure dials again
			_ = conn.Close()
		}
	}()
	err = construct(ctx, Setup{
		Config: req.GetConfig().GetJson(), RunID: req.GetRunId(), Incarnation: int(req.GetIncarnation()),
		Dir: req.GetDirectory(), Log: s.log,
	})
	var wrong *ConfigError
	if errors.As(err, &wrong) {
		return &awhostv1.ConfigureResponse{Diagnostics: diagnosticsToWire(wrong.Diagnostics)}, nil
	}
	if err != nil {
		return &awhostv1.ConfigureResponse{Diagnostics: diagnosticsToWire([]Diagnostic{{
			Severity: SeverityError, Summary: fmt.Sprintf("Cannot set up %s %q", kinds.toGo[req.GetKind()], req.GetType()),
			Detail: err.Error(),
		}})}, nil
	}
	s.request, s.conn = req, conn
	if conn != nil {
		s.host = newRemoteHost(conn, s.plugin.messageBytes(), heartbeatTimeout)
		s.calls = multiplex.NewConn(conn, multiplex.Options{MaxMessageBytes: s.plugin.messageBytes()})
	}
	return s.configuredResponse(), nil
}

// configuredResponse returns the component's offered tools.
func (s *pluginServer) configuredResponse() *awhostv1.ConfigureResponse {
	out := &awhostv1.ConfigureResponse{}
	if v, err := s.environment.get(); err == nil {
		if environment, ok := v.(EnvironmentWithTools); ok {
			out.Offered = toolSetToWire(append([]Tool{}, environment.Tools()...))
		}
	}
	return out
}

// dialHost returns nil if the request does not specify a host.
func (s *pluginServer) dialHost(req *awhostv1.ConfigureRequest) (*grpc.ClientConn, error) {
	if req.GetHost() == nil {
		return nil, nil
	}
	conn, err := s.dial(req.GetHost())
	if err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "configure: dial the host at %s: %v", req.GetHost().GetAddress(),
			err)
	}
	return conn, nil
}

// close closes the connection to the host.
func (s *pluginServer) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		_ = s.conn.Close()
		s.conn = nil
	}
}

// ConfigError is an error returned by New that refers to attributes.
type ConfigError struct{ Diagnostics []Diagnostic }

// Error implements error.
func (e *ConfigError) Error() string {
	if len(e.Diagnostics) == 0 {
		return "wrong configuration"
	}
	return e.Diagnostics[0].Summary + ": " + e.Diagnostics[0].Detail
}

var errNoHost = errors.New("Configure did not contain a host address")

func (s *pluginServer) hostClient() (Host, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil, errNoHost
	}
	return s.host, nil
}

func (s *pluginServer) hostCalls() (grpc.ClientConnInterface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil, errNoHost
	}
	return s.calls, nil
}

// Stop implements PluginService.
func (s *pluginServer) Stop(req *awhostv1.StopRequest, stream awhostv1.PluginService_StopServer) error {
	ctx := stream.Context()
	if grace := durationFromWire(req.GetGrace()); grace > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, grace)
		defer cancel()
	}
	progress := func(message string) {
		// Finishing continues even if the host is no longer listening.
		_ = stream.Send(&awhostv1.StopResponse{Progress: validUTF8(message)})
	}
	for _, component := range s.components() {
		if stopper, ok := component.(Stopper); ok {
			if err := stopper.Stop(ctx, progress); err != nil {
				return errorToStatus(err)
			}
		}
	}
	if s.reused {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.reset()
	}
	return nil
}

// reset returns the process to the unconfigured state. The caller holds s.mu.
func (s *pluginServer) reset() {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	s.request, s.conn, s.host, s.calls = nil, nil, nil, nil
}

func (s *pluginServer) components() (out []any) {
	if v, err := s.environment.get(); err == nil {
		out = append(out, v)
	}
	if v, err := s.reward.get(); err == nil {
		out = append(out, v)
	}
	if v, err := s.adapter.get(); err == nil {
		out = append(out, v)
	}
	if v, err := s.agent.get(); err == nil {
		out = append(out, v)
	}
	return out
}

var _ awhostv1.PluginServiceServer = (*pluginServer)(nil)
