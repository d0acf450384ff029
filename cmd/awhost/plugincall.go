package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
	"github.com/awhost/awhost/sdk/schema"
)

// pluginCallFlags holds the flags for `plugin call`.
type pluginCallFlags struct {
	path     string // of the spec
	config   string
	passEnv  []string
	patience time.Duration
}

func newPluginCall(a *app) *cobra.Command {
	var flags pluginCallFlags
	cmd := &cobra.Command{
		Use:   "call (NAME | SOURCE) KIND.TYPE METHOD [REQUEST] [METHOD REQUEST]…",
		Short: "Call a component from the shell, JSON in and out",
		Long: `Start the plugin, configure the component, make the calls in order, and print each response as JSON.
A request is a protocol message in protobuf's JSON mapping. Write bytes fields that contain JSON as JSON, without the
suffix _json. With -, read the request from standard input.`,
		Example: "  awhost plugin call calculator environment.calculator Open '{\"episode_id\":\"e\",\"task\":{\"id\":\"t\",\"public\":{\"prompt\":\"1+1=\"}}}'",
		Args:    cobra.MinimumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C also ends the plugin
			return a.callPlugin(ctx, args[0], args[1], args[2:], flags)
		},
	}
	cmd.Flags().StringVar(&flags.path, "spec", defaultSpec, "`spec` with the plugins")
	cmd.Flags().StringVar(&flags.config, "config", "{}", "the component's configuration as `JSON`; defaults are filled in")
	cmd.Flags().StringArrayVar(&flags.passEnv, "pass-env", nil, "pass the environment variable `NAME` to the plugin; "+
		"may be repeated")
	cmd.Flags().DurationVar(&flags.patience, "patience", time.Minute, "timeout of the start and of each call")
	return cmd
}

// pluginCall is one call to make.
type pluginCall struct {
	method  protoreflect.MethodDescriptor
	request protoreflect.Message
}

func (a *app) callPlugin(ctx context.Context, name, component string, words []string, flags pluginCallFlags) error {
	kind, _, _ := strings.Cut(component, ".")
	calls, err := a.readCalls(kind, words)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	source, err := a.pluginCommand(ctx, name, flags.path)
	if err != nil {
		return err
	}
	err = a.callProcess(ctx, source, component, calls, flags)
	var failed *exitError
	if errors.As(err, &failed) && failed.err != nil {
		if note := source.CopyNote(failed.err.Error()); note != "" {
			return exit(failed.code, fmt.Errorf("%w\n%s", failed.err, note))
		}
	}
	return err
}

// callProcess makes the calls in a process running the plugin.
func (a *app) callProcess(ctx context.Context, source *catalog.Prepared, component string, calls []pluginCall,
	flags pluginCallFlags) error {
	if err := a.warnUnset(flags.passEnv); err != nil {
		return err
	}
	dir, err := process.NewSocketDir()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	defer func() { _ = process.RemoveSocketDir(dir) }() // leftovers are removed by the next start
	authority, err := mtls.NewAuthority()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	p, err := client.Start(ctx, client.Config{
		Name: component, Run: "call", Command: source.Command, Env: source.Env, PassEnv: flags.passEnv, Authority: authority,
		SocketDir:    dir,
		StartTimeout: flags.patience,
		Log:          slog.New(withoutPanics{slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn})}),
	})
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	defer p.Kill()
	kind, typ, _ := strings.Cut(component, ".")
	if err := a.configureForCalls(ctx, p, dir, sdk.ComponentKind(kind), typ, flags); err != nil {
		return exit(run.ExitUsage, explainDeath(p, "configure "+component, err))
	}
	for _, c := range calls {
		if err := a.makeCall(ctx, p.Conn(), c, flags.patience); err != nil {
			return exit(run.ExitFailed, explainDeath(p, string(c.method.Name()), err))
		}
	}
	return nil
}

// withoutPanics drops the SDK's log line about a panic in a call: the call's status, which is shown, has the same
// stack.
type withoutPanics struct{ slog.Handler }

// Handle implements slog.Handler.
func (h withoutPanics) Handle(ctx context.Context, record slog.Record) error {
	said := map[string]bool{}
	record.Attrs(func(a slog.Attr) bool {
		said[a.Key] = true
		return true
	})
	if said["panic"] && said["stack"] {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h withoutPanics) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withoutPanics{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h withoutPanics) WithGroup(name string) slog.Handler {
	return withoutPanics{h.Handler.WithGroup(name)}
}

// shownLines is the number of final lines that are shown from an exited plugin's output.
const shownLines = 30

// explainDeath extends an error with the exit status and the last lines of a plugin that exited during an operation.
func explainDeath(p *client.Plugin, doing string, err error) error {
	var end *process.Exit
	if !errors.As(p.Explain(err), &end) {
		return err
	}
	lines := end.LastLines[max(0, len(end.LastLines)-shownLines):]
	short := *end
	short.LastLines = nil
	if len(lines) == 0 {
		return fmt.Errorf("%s: the plugin exited: %w", doing, &short)
	}
	return fmt.Errorf("%s: the plugin exited: %w; its last lines:\n  %s", doing, &short, strings.Join(lines, "\n  "))
}

// configureForCalls configures the component in the process, with its own directory in dir, and without a host.
func (a *app) configureForCalls(ctx context.Context, p *client.Plugin, dir string, kind sdk.ComponentKind, typ string,
	flags pluginCallFlags) error {
	ctx, cancel := context.WithTimeout(ctx, flags.patience)
	defer cancel()
	described, err := p.Describe(ctx)
	if err != nil {
		return err
	}
	known, ok := described.Component(kind, typ)
	if !ok {
		var has []string
		for _, c := range described.Components {
			has = append(has, string(c.Kind)+"."+c.Type)
		}
		return fmt.Errorf("plugin %s has no component %s.%s: it has "+
			"%s", described.Name, kind, typ, strings.Join(has, ", "))
	}
	for _, problem := range known.Schema.Problems([]byte(flags.config)) {
		return fmt.Errorf("--config: %s", problemText(problem))
	}
	config, err := known.Schema.Complete([]byte(flags.config))
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	own, err := os.MkdirTemp(dir, "own-")
	if err != nil {
		return err
	}
	diagnostics, err := p.Configure(ctx, sdk.ConfigureRequest{Kind: kind, Type: typ, Config: config, RunID: "call",
		Incarnation: 1, Dir: own})
	if err != nil {
		return err
	}
	for _, d := range diagnostics {
		if d.Severity == sdk.SeverityError {
			return fmt.Errorf("the component rejects its configuration: %s: %s", d.Summary, d.Detail)
		}
	}
	return nil
}

// problemText returns a problem preceded by its path, if it has one.
func problemText(p schema.Problem) string {
	if len(p.Path) == 0 {
		return p.Detail
	}
	return strings.Join(p.Path, ".") + ": " + p.Detail
}

// services maps kinds to services.
var services = map[string]protoreflect.FullName{
	"environment": "awhost.v1.EnvironmentService", "reward": "awhost.v1.RewardService",
	"adapter": "awhost.v1.AdapterService", "agent": "awhost.v1.AgentService",
}

// readCalls reads the methods and requests. Empty requests may be omitted.
func (a *app) readCalls(kind string, words []string) ([]pluginCall, error) {
	full, ok := services[kind]
	if !ok {
		return nil, fmt.Errorf("invalid component %q: want KIND.TYPE, where KIND is environment, reward, adapter, or "+
			"agent", kind)
	}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(full)
	if err != nil {
		return nil, err
	}
	methods := found.(protoreflect.ServiceDescriptor).Methods()
	var calls []pluginCall
	fromInput := protoreflect.Name("") // the method whose request was read from standard input
	for len(words) > 0 {
		method := methods.ByName(protoreflect.Name(words[0]))
		if method == nil {
			return nil, fmt.Errorf("unknown method %q of %s: want one of %s", words[0], full,
				strings.Join(namesOf(methods), ", "))
		}
		words = words[1:]
		request := "{}"
		if len(words) > 0 && methods.ByName(protoreflect.Name(words[0])) == nil {
			request, words = words[0], words[1:]
		}
		if request == "-" {
			if fromInput != "" {
				return nil, fmt.Errorf("the request of %s: standard input was already read for the request of %s: use - only "+
					"once", method.Name(), fromInput)
			}
			fromInput = method.Name()
			read, err := io.ReadAll(a.in)
			if err != nil {
				return nil, fmt.Errorf("read the request from standard input: %w", err)
			}
			request = string(read)
		}
		message, err := readRequest(method.Input(), request)
		if err != nil {
			return nil, fmt.Errorf("the request of %s: %w", method.Name(), err)
		}
		calls = append(calls, pluginCall{method, message})
	}
	return calls, nil
}

func namesOf(methods protoreflect.MethodDescriptors) (names []string) {
	for i := range methods.Len() {
		names = append(names, string(methods.Get(i).Name()))
	}
	return names
}

// readRequest converts a user's JSON into a message.
func readRequest(of protoreflect.MessageDescriptor, text string) (*dynamicpb.Message, error) {
	message := dynamicpb.NewMessage(of)
	packed, err := pack([]byte(text), of)
	if err != nil {
		return nil, err
	}
	return message, protojson.Unmarshal(packed, message)
}

// pack encodes JSON for bytes fields that hold JSON: members x_json, or x unless another x exists, become base64.
func pack(text []byte, message protoreflect.MessageDescriptor) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	err := decoder.Decode(&object)
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("empty request: write {} for a request without members")
	case err != nil:
		return nil, fmt.Errorf("not a JSON object: %s", sdk.DescribeError(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("data after the JSON object: a request is one object")
	}
	packed, err := packObject(object, message)
	if err != nil {
		return nil, err
	}
	return json.Marshal(packed)
}

func packObject(object map[string]any, message protoreflect.MessageDescriptor) (map[string]any, error) {
	out := map[string]any{}
	for name, value := range object {
		field := message.Fields().ByName(protoreflect.Name(name))
		if field == nil {
			field = message.Fields().ByJSONName(name)
		}
		if inner := message.Fields().ByName(protoreflect.Name(name + "_json")); field == nil && inner != nil {
			field, name = inner, name+"_json"
		}
		switch {
		case field == nil: // protojson reports the error
		case field.Kind() == protoreflect.BytesKind && strings.HasSuffix(string(field.Name()), "json"):
			if _, encoded := value.(string); !encoded {
				text, err := json.Marshal(value)
				if err != nil {
					return nil, err
				}
				value = text // as base64
			}
		case field.Kind() == protoreflect.MessageKind && !field.IsMap():
			var err error
			if value, err = packValue(value, field.Message()); err != nil {
				return nil, err
			}
		}
		out[name] = value
	}
	return out, nil
}

func packValue(value any, message protoreflect.MessageDescriptor) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		return packObject(v, message)
	case []any:
		out := slices.Clone(v)
		for i := range out {
			var err error
			if out[i], err = packValue(out[i], message); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// makeCall makes a call and prints its responses: each message in a stream as it arrives.
func (a *app) makeCall(ctx context.Context, conn *grpc.ClientConn, c pluginCall, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	full := fmt.Sprintf("/%s/%s", c.method.Parent().FullName(), c.method.Name())
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, full)
	if err == nil {
		err = stream.SendMsg(c.request.Interface())
	}
	if err == nil {
		err = stream.CloseSend()
	}
	for err == nil {
		answer := dynamicpb.NewMessage(c.method.Output())
		if err = stream.RecvMsg(answer); err == nil {
			err = a.printAnswer(c.method, answer)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	s, ok := status.FromError(err)
	switch {
	case ok && s.Code() == codes.Unavailable:
		return fmt.Errorf("%s: %w: %s%s", c.method.Name(), sdk.ErrUnavailable, s.Message(), detailsOf(s))
	case ok:
		return fmt.Errorf("%s: %s: %s%s", c.method.Name(), s.Code(), s.Message(), detailsOf(s))
	}
	return err
}

func detailsOf(s *status.Status) string {
	var out strings.Builder
	for _, d := range s.Details() {
		fmt.Fprintf(&out, " [%v]", d)
	}
	return out.String()
}

func (a *app) printAnswer(method protoreflect.MethodDescriptor, answer *dynamicpb.Message) error {
	encoded, err := protojson.Marshal(answer)
	if err != nil {
		return err
	}
	var value map[string]any
	if err := json.Unmarshal(encoded, &value); err != nil {
		return err
	}
	unpack(value)
	if a.json {
		a.print(result.Called{Type: "called", Method: string(method.Name()), Response: value})
		return nil
	}
	return a.printIndented(value)
}
