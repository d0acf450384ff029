// Package specimen is a plugin that breaks one protocol rule at a time, for testing the conformance suite. It is
// written using the .proto files, without the SDK's server, which would correct the mistakes.
//
//	specimen.Main("")             // conforms
//	specimen.Main("ENV-STEP-02")  // fails this check
//	specimen.Main("ADP-PLAN-05/rows")  // the same, in another way
//
// It serves an environment (a counter that a policy has to bring to the task's target), a reward, an agent that lets
// the policy use tools, and adapters that train nothing: two with a sequential trainer, two with an asynchronous one.
package specimen

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/awhost/awhost/sdk/process/mtls"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Main runs the plugin. It never returns.
func Main(mutant string) {
	s := &specimen{mutant: mutant, episodes: map[string]*episode{}, adapterState: newAdapterState()}
	s.judged = map[string]string{}
	if len(os.Args) == 2 && os.Args[1] == "describe" {
		d := s.description()
		if s.breaks("PROC-DESCRIBE-01") {
			d.Version = "9.9.9"
		}
		fmt.Println(protojson.Format(d))
		os.Exit(0)
	}
	if os.Getenv("AWHOST_PLUGIN_MAGIC_COOKIE") == "" && !s.breaks("PROC-COOKIE-01") {
		fmt.Fprintln(os.Stderr, "specimen is a plugin of awhost")
		os.Exit(1)
	}
	if err := s.serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// specimen is the plugin.
type specimen struct {
	awhostv1.UnimplementedPluginServiceServer
	awhostv1.UnimplementedEnvironmentServiceServer
	awhostv1.UnimplementedRewardServiceServer
	awhostv1.UnimplementedAdapterServiceServer
	awhostv1.UnimplementedAgentServiceServer

	mutant   string
	identity *mtls.Identity

	mu         sync.Mutex
	calls      int
	configured *awhostv1.ConfigureRequest
	episodes   map[string]*episode
	begun      int           // number of episodes
	shared     int           // state that episodes must not share
	overlapped chan struct{} // closed when another call arrives; see awaitOverlap
	last       *awhostv1.ScoreItem
	judged     map[string]string // answers, by a part of them
	kept       []any             // memory of a leak
	adapterState
	agentState
}

// judgeType is the reward that calls a model.
const judgeType = "specimen_judge"

// batchSize is the reward's batch size.
const batchSize = 8

// breaks reports whether the specimen breaks the rule that a given check covers.
func (s *specimen) breaks(check string) bool { return s.mutant == check }

func (s *specimen) serve() error {
	if s.breaks("PROC-START-01") {
		return fmt.Errorf("specimen: refusing to start")
	}
	if os.Getenv("AWHOST_TLS_DIR") == "" { // PROC-COOKIE-01: it runs without a host
		fmt.Println("1|1|unix|/nowhere|grpc|")
		return nil
	}
	identity, err := mtls.LoadPlugin(os.Getenv("AWHOST_TLS_DIR"))
	if err != nil {
		return err
	}
	s.identity = identity
	dir := os.Getenv("PLUGIN_UNIX_SOCKET_DIR")
	if s.breaks("PROC-SOCKET-01") {
		if dir, err = os.MkdirTemp("", "specimen"); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("specimen-%d.sock", os.Getpid()))
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	config := identity.Server()
	if s.breaks("PROC-TLS-01") {
		config.ClientAuth, config.VerifyPeerCertificate, config.VerifyConnection = 0, nil, nil
	}
	limit := 256 << 20
	switch s.mutant {
	case "COM-SIZE-01":
		limit = 4 << 20
	case "COM-SIZE-01/declared":
		limit = 32 << 20
	}
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(config)), grpc.MaxRecvMsgSize(limit),
		grpc.MaxSendMsgSize(256<<20))
	healthpb.RegisterHealthServer(server, serving())
	awhostv1.RegisterPluginServiceServer(server, s)
	awhostv1.RegisterEnvironmentServiceServer(server, s)
	awhostv1.RegisterRewardServiceServer(server, s)
	awhostv1.RegisterAdapterServiceServer(server, s)
	awhostv1.RegisterAgentServiceServer(server, s)
	s.registerController(server)
	s.watch(server)
	fmt.Printf("1|1|unix|%s|grpc|\n", path)
	return server.Serve(listener)
}

func serving() *health.Server {
	h := health.NewServer()
	h.SetServingStatus("plugin", healthpb.HealthCheckResponse_SERVING)
	return h
}

// watch ends the process when its lifeline is closed or on SIGTERM.
func (s *specimen) watch(server *grpc.Server) {
	go func() {
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin)) // returns when the host ends
		if s.breaks("PROC-LIFELINE-01") {
			select {}
		}
		server.Stop()
	}()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		for range signals {
			if !s.breaks("PROC-TERM-01") {
				server.Stop()
			}
		}
	}()
}

// registerController serves plugin.GRPCController, which has no public Go code.
func (s *specimen) registerController(server *grpc.Server) {
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "plugin.GRPCController", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Shutdown",
			Handler: func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error) {
				if !s.breaks("PROC-SHUTDOWN-01") {
					go func() {
						time.Sleep(10 * time.Millisecond) // until the response is sent
						server.Stop()
					}()
				}
				return &emptypb.Empty{}, nil
			}}},
	}, s)
}

func (s *specimen) description() *awhostv1.DescribeResponse {
	attributes := []*awhostv1.Attribute{
		{Name: "start", Type: `"number"`, DefaultJson: []byte("0"), Minimum: proto.Float64(0),
			Description: "The initial value of the counter."},
		{Name: "api_key", Type: `"string"`, Sensitive: true, Description: "A key without use."},
	}
	switch s.mutant {
	case "COM-SCHEMA-01":
		attributes[1].Name = "Api-Key"
	case "COM-SCHEMA-02":
		attributes[0].Description = ""
	case "COM-SCHEMA-03":
		attributes[1].Sensitive = false
	case "COM-CONFIG-01":
		attributes[0].Required, attributes[0].DefaultJson = true, nil
	}
	schema := &awhostv1.Schema{Attributes: attributes}
	d := &awhostv1.DescribeResponse{
		Name: "specimen", Version: "1.0.0", ProtocolVersions: []int32{1},
		Components: []*awhostv1.Component{
			{
				Kind: awhostv1.ComponentKind_COMPONENT_KIND_ENVIRONMENT, Type: "specimen", Description: "A counter.",
				Schema: schema,
				Capabilities: &awhostv1.Component_Environment{Environment: &awhostv1.EnvironmentCapabilities{
					DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true, Tasks: true,
					MultiUserTurn: strings.HasPrefix(s.mutant, "ENV-PRIVATE-01"),
				}},
			},
			{
				Kind: awhostv1.ComponentKind_COMPONENT_KIND_REWARD, Type: "specimen", Description: "1 for the right answer.",
				Schema:           schema,
				RewardComponents: []string{"exact"},
				Capabilities: &awhostv1.Component_Reward{Reward: &awhostv1.RewardCapabilities{BatchSize: batchSize,
					Needs: []string{"ground_truth"}, TruthTypes: []string{"string", "number"}}},
			},
			{
				Kind: awhostv1.ComponentKind_COMPONENT_KIND_REWARD, Type: "specimen_rank",
				Description: "Compares the samples of a group.", Schema: schema, RewardComponents: []string{"exact"},
				Capabilities: &awhostv1.Component_Reward{Reward: &awhostv1.RewardCapabilities{GroupRelative: true}},
			},
			{
				Kind: awhostv1.ComponentKind_COMPONENT_KIND_REWARD, Type: judgeType, RewardComponents: []string{"exact"},
				Description: "Calls a judge, which is not reachable.",
				Schema: &awhostv1.Schema{Attributes: append(slices.Clone(attributes),
					&awhostv1.Attribute{Name: "endpoint", Type: `"string"`, Description: "The judge's URL."})},
				Capabilities: &awhostv1.Component_Reward{Reward: &awhostv1.RewardCapabilities{ModelJudge: true}},
			},
			{
				Kind: awhostv1.ComponentKind_COMPONENT_KIND_AGENT, Type: "specimen", Schema: schema,
				Description:  "Uses tools until it answers.",
				Capabilities: &awhostv1.Component_Agent{Agent: &awhostv1.AgentCapabilities{}},
			},
		},
	}
	if s.breaks("COM-SIZE-01/declared") || s.breaks("accepts the declared size") {
		d.MaxMessageBytes = 48 << 20
	}
	d.Components = append(d.Components, adapterComponents(schema)...)
	if s.mutant == "" || strings.HasPrefix(s.mutant, "RWD-TRUTH-01") { // other mutants would fail RWD-TRUTH-01, too
		d.Components[2].GetReward().Needs = []string{"ground_truth"}
	}
	switch s.mutant {
	case "PROC-DESCRIBE-02":
		d.Sdk = time.Now().String()
	case "PROC-DESCRIBE-03":
		d.Version = "newest"
	case "PROC-FEATURES-01":
		d.RequiredHostFeatures = []string{"time-travel"}
	}
	return d
}

// Describe implements PluginService.
func (s *specimen) Describe(context.Context, *awhostv1.DescribeRequest) (*awhostv1.DescribeResponse, error) {
	if s.breaks("PROC-STDOUT-01") {
		fmt.Println("Describe was called")
	}
	return s.description(), nil
}

// settings is the configuration.
type settings struct {
	Start  *float64 `json:"start"`
	APIKey *string  `json:"api_key"`
}

// ValidateConfig implements PluginService.
func (s *specimen) ValidateConfig(_ context.Context,
	req *awhostv1.ValidateConfigRequest) (*awhostv1.ValidateConfigResponse, error) {
	s.mu.Lock()
	s.calls++
	calls := s.calls
	s.mu.Unlock()
	if !s.serves(req.GetKind(), req.GetType()) && !s.breaks("COM-VALIDATE-04") {
		return nil, status.Errorf(codes.NotFound, "unknown component: %s %q", req.GetKind(), req.GetType())
	}
	var c settings
	var object map[string]json.RawMessage
	text := req.GetConfig().GetJson()
	if err := json.Unmarshal(text, &object); (err != nil || object == nil) && !s.breaks("COM-VALIDATE-05") {
		return nil, status.Errorf(codes.InvalidArgument, "the configuration is not a JSON object: %v", err)
	}
	_ = json.Unmarshal(text, &c) // mismatches are reported below
	out := &awhostv1.ValidateConfigResponse{}
	complain := func(name, summary string) {
		out.Diagnostics = append(out.Diagnostics, &awhostv1.Diagnostic{
			Severity: awhostv1.Diagnostic_SEVERITY_ERROR, Summary: summary, Detail: "Change it.",
			Attribute: &awhostv1.Path{Steps: []string{name}},
		})
	}
	switch {
	case c.Start != nil && *c.Start > 1000 && s.breaks("COM-VALIDATE-01"):
		complain("api_key", "Too far")
	case c.Start != nil && *c.Start > 1000:
		complain("start", "Too far")
	case s.breaks("COM-VALIDATE-02") && calls > 1:
		complain("start", "Too many calls")
	case s.breaks("COM-VALIDATE-03") && len(req.GetConfig().GetUnknown()) > 0 && c.Start == nil:
		complain("start", "Not there")
	case s.breaks("COM-VALIDATE-06") && len(req.GetConfig().GetUnknown()) == 1:
		complain("start", "Not comparable")
	case s.breaks("COM-GREASE-01") && len(req.ProtoReflect().GetUnknown()) > 0:
		return nil, status.Error(codes.InvalidArgument, "unknown attribute")
	}
	return out, nil
}

func (s *specimen) serves(kind awhostv1.ComponentKind, typ string) bool {
	return slices.ContainsFunc(s.description().GetComponents(),
		func(c *awhostv1.Component) bool { return c.GetKind() == kind && c.GetType() == typ })
}

// Configure implements PluginService.
func (s *specimen) Configure(_ context.Context, req *awhostv1.ConfigureRequest) (*awhostv1.ConfigureResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.configured != nil {
		switch {
		case s.breaks("COM-CONFIGURE-01"):
			return nil, status.Error(codes.FailedPrecondition, "already configured")
		case !proto.Equal(s.configured, req) && !s.breaks("COM-CONFIGURE-02"):
			return nil, status.Error(codes.FailedPrecondition, "already configured with another request")
		}
		return &awhostv1.ConfigureResponse{}, nil
	}
	if err := s.lock(req.GetDirectory()); err != nil {
		return nil, err
	}
	if s.breaks("COM-LOG-01") {
		fmt.Fprintf(os.Stderr, "configured with %s\n", req.GetConfig().GetJson())
	}
	s.configured = req
	return &awhostv1.ConfigureResponse{}, nil
}

// lock creates a lock file in the plugin's directory, as does a plugin that must be the only one there. After SIGKILL,
// the file remains and the next start fails.
func (s *specimen) lock(dir string) error {
	if !s.breaks("ENV-CHAOS-01") && !s.breaks("RWD-CHAOS-01") && !s.breaks("AGT-CHAOS-01") {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return status.Error(codes.FailedPrecondition, "another process is running: "+err.Error())
	}
	return f.Close()
}

// dialHost connects to HostService.
func (s *specimen) dialHost() (*grpc.ClientConn, error) {
	return grpc.NewClient("unix:"+s.configured.GetHost().GetAddress(),
		grpc.WithTransportCredentials(credentials.NewTLS(s.identity.Client())))
}

// Stop implements PluginService.
func (s *specimen) Stop(_ *awhostv1.StopRequest, stream grpc.ServerStreamingServer[awhostv1.StopResponse]) error {
	if s.breaks("COM-STOP-01") {
		<-stream.Context().Done()
		return stream.Context().Err()
	}
	return nil
}

func (s *specimen) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.breaks("COM-LOG-01/later") && s.configured != nil {
		fmt.Fprintf(os.Stderr, "called with %s\n", s.configured.GetConfig().GetJson())
	}
	if s.configured == nil && !s.breaks("COM-CONFIGURE-03") {
		return status.Error(codes.FailedPrecondition, "not configured")
	}
	return nil
}

func text(m *awhostv1.Message) string {
	var b strings.Builder
	for _, part := range m.GetContent() {
		b.WriteString(part.GetText())
	}
	return b.String()
}

func content(role awhostv1.Role, text string) *awhostv1.Message {
	return &awhostv1.Message{Role: role, Content: []*awhostv1.ContentPart{{Part: &awhostv1.ContentPart_Text{Text: text}}}}
}

var notANumber = math.NaN()
