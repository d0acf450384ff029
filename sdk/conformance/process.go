package conformance

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	processPrefix = "PROC"
	processStart  = "PROC-START-01"
)

// exitLimit is the time limit for a plugin's exit.
const exitLimit = 5 * time.Second

func processGroup() group {
	const head = "plugin.proto, head of the file: "
	needsStart := []string{processStart}
	return group{processPrefix, []Check{
		{
			ID: processStart, Level: Must,
			Title: "the plugin starts, prints its handshake, serves TLS with the host's certificates and answers " +
				"the health check",
			Rule: head + "\"prints `1|1|unix|PATH|grpc|` and a newline on standard output\"; it serves " +
				"grpc.health.v1.Health (service \"plugin\")",
			Remedy: "start from an SDK, or follow the numbered list at the head of plugin.proto; the message " +
				"names the last completed step",
			run: func(t *T) { t.start() },
		},
		{
			ID: "PROC-COOKIE-01", Level: Must,
			Title: "without the magic cookie the plugin prints a description of itself and exits with an error",
			Rule:  head + "the host starts the program with the magic cookie: a program without it has no host",
			Remedy: "check for the cookie first; without it, print to standard error that this program is an " +
				"awhost plugin, and exit with a status other than 0",
			run: checkCookie,
		},
		{
			ID: "PROC-DESCRIBE-02", Level: Must, After: needsStart,
			Title:  "Describe returns the same response each time",
			Rule:   "plugin.proto, Describe: \"It works before Configure and always returns the same response.\"",
			Remedy: "exclude times, random numbers and the order of maps from the description",
			run:    checkDescribeTwice,
		},
		{
			ID: "PROC-DESCRIBE-01", Level: Must, After: []string{processStart, "PROC-DESCRIBE-02"},
			Title: "`describe` prints the response of the RPC Describe",
			Rule: head + "\"Without the cookie, `PROGRAM describe` prints DescribeResponse in protobuf's JSON " +
				"mapping and exits.\"",
			Remedy: "generate both from one value",
			run:    checkDescribeCommand,
		},
		{
			ID: "PROC-DESCRIBE-03", Level: Must, After: needsStart,
			Title: "the description contains the plugin's name, its version, protocol 1, and each component once",
			Rule:  "plugin.proto, DescribeResponse",
			Remedy: "name: lower-case letters, digits and dashes; version: semantic; protocol_versions: [1]; a " +
				"kind and type at most once",
			run: checkDescription,
		},
		{
			ID: "PROC-FEATURES-01", Level: Must, After: needsStart,
			Title: "the host has all features that the plugin requires",
			Rule: "plugin.proto, DescribeResponse: \"A host that lacks one refuses the plugin and names the " +
				"feature.\"",
			Remedy: "use a newer awhost, or remove the feature from required_host_features",
			run: func(t *T) {
				for _, feature := range t.suite.described.GetRequiredHostFeatures() { // this host has no optional features
					t.errorf("it requires the host feature %q, which awhost %s lacks", feature, sdk.Version)
				}
			},
		},
		{
			ID: "PROC-LIFELINE-01", Level: Must, After: needsStart,
			Title:  "the plugin exits within 5 s after its standard input has ended",
			Rule:   head + "\"Exit when standard input ends: the host has then ended.\"",
			Remedy: "read standard input to its end in a separate thread, then exit, regardless of running work",
			run:    checkLifeline,
		},
		{
			ID: "PROC-TERM-01", Level: Must, After: needsStart, Title: "the plugin exits within 5 s after SIGTERM",
			Rule:   head + "\"The host ends a plugin by Shutdown, then by SIGTERM, then by SIGKILL\"",
			Remedy: "do not ignore SIGTERM; end the process in its handler",
			run: func(t *T) {
				r := t.startRaw()
				t.need(r.cmd.Process.Signal(syscall.SIGTERM), "send SIGTERM")
				if !r.awaitExit(exitLimit) {
					t.errorf("the plugin is still running %s after SIGTERM", exitLimit)
				}
			},
		},
		{
			ID: "PROC-SHUTDOWN-01", Level: Must, After: needsStart,
			Title:  "the plugin exits within 5 s after plugin.GRPCController/Shutdown",
			Rule:   head + "\"The program serves … plugin.GRPCController/Shutdown\"",
			Remedy: "serve the method, respond, and end the process",
			run:    checkShutdown,
		},
		{
			ID: "PROC-TLS-01", Level: Must, After: needsStart,
			Title:  "the plugin rejects connections without the host's certificate",
			Rule:   head + "\"presents plugin.crt, requires exactly host.crt from its peer\"",
			Remedy: "require a client certificate and compare it with host.crt, byte by byte",
			run:    checkTLS,
		},
		{
			ID: "PROC-STDOUT-01", Level: Must, After: needsStart,
			Title: "the plugin writes nothing to standard output after its handshake",
			Rule:  head + "\"Earlier lines are logged as noise.\"; log lines go to standard error",
			Remedy: "redirect the output of libraries to standard error (in Python: redirect sys.stdout after the " +
				"handshake)",
			run: checkStdout,
		},
		{
			ID: "PROC-SOCKET-01", Level: Should, After: []string{processStart, "PROC-SHUTDOWN-01"},
			Title:  "the plugin creates its socket in PLUGIN_UNIX_SOCKET_DIR and removes it on Shutdown",
			Rule:   head + "\"PLUGIN_UNIX_SOCKET_DIR (create the socket there)\"",
			Remedy: "create the socket in this directory, and remove it before exiting",
			run:    checkSocket,
		},
	}}
}

func checkCookie(t *T) {
	cmd := t.program(t.within(t.suite.config.CallTimeout))
	cmd.Env = t.environ(nil)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		t.errorf("without the cookie, the plugin exits with status 0")
	case !errors.As(err, &exit):
		t.errorf("without the cookie: %v", err)
	case exit.ExitCode() < 0:
		t.errorf("without the cookie the plugin did not exit within %s", t.suite.config.CallTimeout)
	}
	if slices.ContainsFunc(strings.Split(stdout.String(), "\n"), isHandshake) {
		t.errorf("without the cookie, the plugin prints a handshake")
	}
	if strings.TrimSpace(stderr.String()+stdout.String()) == "" {
		t.errorf("without the cookie, the plugin prints nothing: anyone who starts it by hand gets no explanation")
	}
}

func checkDescribeCommand(t *T) {
	cmd := t.program(t.within(t.suite.config.CallTimeout), "describe")
	cmd.Env = t.environ(nil)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.fatalf("`describe`: %v\n%s", err, stderr.String())
	}
	printed := &awhostv1.DescribeResponse{}
	if err := protojson.Unmarshal(out, printed); err != nil {
		t.fatalf("`describe` does not print a DescribeResponse: %v", err)
	}
	answered, err := pluginOf(t.start()).Describe(t.call(), &awhostv1.DescribeRequest{})
	t.need(err, "Describe")
	if !proto.Equal(printed, answered) {
		t.errorf("`describe` prints\n%s\nbut Describe returns\n%s", protojson.Format(printed), protojson.Format(answered))
	}
}

func checkDescribeTwice(t *T) {
	first := t.start()
	describe := func(c awhostv1.PluginServiceClient) proto.Message {
		out, err := c.Describe(t.call(), &awhostv1.DescribeRequest{})
		t.need(err, "Describe")
		return out
	}
	a, b, c := describe(pluginOf(first)), describe(pluginOf(first)), describe(pluginOf(t.start()))
	if !proto.Equal(a, b) {
		t.errorf("a second Describe differs from the first")
	}
	if !proto.Equal(a, c) {
		t.errorf("another process returns a different description")
	}
}

// names of plugins and types appear in specs, paths, and addresses.
var (
	names   = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,62}$`)
	version = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

func checkDescription(t *T) {
	d, err := pluginOf(t.start()).Describe(t.call(), &awhostv1.DescribeRequest{})
	t.need(err, "Describe")
	if !names.MatchString(d.GetName()) {
		t.errorf("invalid name %q", d.GetName())
	}
	if !version.MatchString(d.GetVersion()) {
		t.errorf("the version %q is not a semantic version", d.GetVersion())
	}
	if !slices.Contains(d.GetProtocolVersions(), sdk.ProtocolVersion) {
		t.errorf("unsupported protocol versions %v", d.GetProtocolVersions())
	}
	if len(d.GetComponents()) == 0 {
		t.errorf("the plugin has no components")
	}
	seen := map[string]bool{}
	for _, c := range d.GetComponents() {
		address := c.GetKind().String() + " " + c.GetType()
		if seen[address] {
			t.errorf("duplicate component %s", address)
		}
		seen[address] = true
		if !names.MatchString(c.GetType()) || c.GetKind() == awhostv1.ComponentKind_COMPONENT_KIND_UNSPECIFIED {
			t.errorf("component %q of kind %s: set both type and kind", c.GetType(), c.GetKind())
		}
		if c.GetCapabilities() == nil {
			t.errorf("component %s declares no capabilities: send the message of its kind, even if it is empty", address)
		}
	}
}

func checkLifeline(t *T) {
	r := t.startRaw()
	t.need(r.stdin.Close(), "close its standard input")
	if !r.awaitExit(exitLimit) {
		t.errorf("the plugin is still running %s after its standard input was closed: killed hosts would leave it "+
			"behind", exitLimit)
	}
}

func checkShutdown(t *T) {
	r := t.startRaw()
	conn := t.dial(r, r.identity.Client())
	err := conn.Invoke(t.within(exitLimit), "/plugin.GRPCController/Shutdown", &emptypb.Empty{}, &emptypb.Empty{},
		grpc.WaitForReady(true))
	if !r.awaitExit(exitLimit) {
		t.errorf("the plugin is still running %s after Shutdown (%v)", exitLimit, err)
	}
}

func checkTLS(t *T) {
	r := t.startRaw()
	ask := func(config *tls.Config) error {
		_, err := healthpb.NewHealthClient(t.dial(r, config)).Check(t.within(5*time.Second),
			&healthpb.HealthCheckRequest{Service: "plugin"})
		return err
	}
	if err := ask(r.identity.Client()); err != nil {
		t.fatalf("the plugin rejects the host's own certificate: %v", err)
	}
	if ask(nil) == nil {
		t.errorf("the plugin accepts connections without TLS")
	}
	bare := r.identity.Client().Clone()
	bare.Certificates, bare.GetClientCertificate = nil, nil
	if ask(bare) == nil {
		t.errorf("the plugin accepts a peer without a certificate")
	}
	dir, err := os.MkdirTemp(t.suite.dir, "other-")
	t.need(err, "make a directory")
	_, err = t.suite.authority.Issue("conformance.other", dir)
	t.need(err, "issue certificates")
	other, err := mtls.LoadPlugin(dir)
	t.need(err, "read the certificates of another plugin")
	foreign := r.identity.Client().Clone()
	foreign.GetClientCertificate = nil
	foreign.Certificates = other.Client().Certificates
	if ask(foreign) == nil {
		t.errorf("the plugin accepts a peer with another plugin's certificate, so that plugin could impersonate the " +
			"host")
	}
}

func checkStdout(t *T) {
	r := t.startRaw()
	client := awhostv1.NewPluginServiceClient(t.dial(r, r.identity.Client()))
	if _, err := client.Describe(t.call(), &awhostv1.DescribeRequest{}); err != nil {
		t.fatalf("Describe: %v", err)
	}
	for _, c := range t.suite.components {
		// Only output produced during the call counts here. The component checks test the validation itself.
		_, _ = client.ValidateConfig(t.call(), &awhostv1.ValidateConfigRequest{Kind: c.GetKind(), Type: c.GetType(),
			Config: &awhostv1.Value{Json: c.config}})
	}
	_ = r.stdin.Close() // output during the exit counts, too
	r.awaitExit(exitLimit)
	if later := r.laterOutput(); len(later) > 0 {
		shown, _ := json.Marshal(later[:min(3, len(later))]) // strings: never fails
		t.errorf("%d lines were printed after the handshake: %s", len(later), shown)
	}
}

func checkSocket(t *T) {
	r := t.startRaw()
	if within, err := filepath.Rel(r.socketDir, r.address); err != nil || strings.HasPrefix(within, "..") {
		t.errorf("the socket %s is outside of %s", r.address, r.socketDir)
	}
	conn := t.dial(r, r.identity.Client())
	// The plugin may exit before it responds.
	_ = conn.Invoke(t.within(exitLimit), "/plugin.GRPCController/Shutdown", &emptypb.Empty{}, &emptypb.Empty{},
		grpc.WaitForReady(true))
	if !r.awaitExit(exitLimit) {
		t.fatalf("the plugin does not exit")
	}
	if _, err := os.Stat(r.address); err == nil {
		t.errorf("the socket remains after the plugin has exited")
	}
}
