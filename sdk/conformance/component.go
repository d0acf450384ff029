package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	componentPrefix = "COM"
	configFixture   = "COM-CONFIG-01"
)

func componentGroup() group {
	const validate, configure = "plugin.proto, ValidateConfig: ", "plugin.proto, Configure: "
	return group{componentPrefix, []Check{
		{
			ID: configFixture, Level: Must,
			Title:  "the component accepts the configuration from the fixtures, or an empty one",
			Rule:   validate + "\"Checks the configuration of one component.\"",
			Remedy: "provide a configuration in the fixtures that works without network and secrets",
			run:    checkConfig,
		},
		{
			ID: "COM-SCHEMA-01", Level: Must,
			Title: "the schema is valid: its names, types and defaults, and no attribute both required and with a " +
				"default",
			Rule:   "config.proto, Schema",
			Remedy: "fix the attribute that the message names",
			run: func(t *T) {
				if err := t.component.schema.Check(); err != nil {
					t.errorf("%v", err)
				}
			},
		},
		{
			ID: "COM-SCHEMA-02", Level: Should, Title: "each attribute has a description",
			Rule:   "config.proto, Attribute: its description is the documentation of the attribute",
			Remedy: "write one sentence that describes the attribute's effect and its unit",
			run:    checkDescriptions,
		},
		{
			ID: "COM-SCHEMA-03", Level: Should, Title: "attributes with names of secrets are marked sensitive",
			Rule: "config.proto, Attribute: the value of a sensitive attribute is never stored or shown",
			Remedy: "mark the attribute sensitive, or choose another name (token_file and max_tokens do not count " +
				"as secrets)",
			run: checkSensitive,
		},
		{
			ID: "COM-VALIDATE-01", Level: Must, After: []string{configFixture},
			Title: "an invalid configuration gives an error that names the attribute",
			Rule:  validate + "diagnostics name the attribute",
			Remedy: "return a diagnostic of severity ERROR with the path of the attribute; or correct the entry of " +
				"`invalid` in the fixtures if the attribute has another name or range",
			run: checkInvalid,
		},
		{
			ID: "COM-VALIDATE-02", Level: Must, After: []string{configFixture},
			Title:  "ValidateConfig is pure: it returns the same response twice, before and after other calls",
			Rule:   validate + "\"It works before Configure and is pure.\"",
			Remedy: "keep no state between calls",
			run:    checkPure,
		},
		{
			ID: "COM-VALIDATE-03", Level: Must, After: []string{configFixture},
			Title: "values that are not known yet cause no errors",
			Rule: "config.proto, Value: \"Paths whose values are not known yet; they are absent from json. Set " +
				"only in ValidateConfig.\"",
			Remedy: "check only the values that are present; do not require an attribute that is among the " +
				"unknown paths",
			run: checkUnknown,
		},
		{
			ID: "COM-VALIDATE-06", Level: Must, After: []string{configFixture, "COM-VALIDATE-02", "COM-VALIDATE-03"},
			Title: "a value that is not known yet causes no error next to known ones, nor does one that is known alone",
			Rule: "config.proto, Value: \"Paths whose values are not known yet; they are absent from json. Set " +
				"only in ValidateConfig.\"",
			Remedy: "test each value of a comparison for its presence",
			run:    checkUnknownEach,
		},
		{
			ID: "COM-VALIDATE-04", Level: Must, Title: "a component that the plugin does not have is NOT_FOUND",
			Rule: "plugin.proto, head of the file: \"NOT_FOUND  unknown component, episode (see SessionLost) or " +
				"launch\"",
			Remedy: "look the kind and type up among the described components",
			run: func(t *T) {
				_, err := pluginOf(t.start()).ValidateConfig(t.call(), &awhostv1.ValidateConfigRequest{
					Kind: t.component.GetKind(), Type: "no-such-type", Config: &awhostv1.Value{Json: []byte("{}")},
				})
				t.refused(err, "ValidateConfig for a type that does not exist", codes.NotFound)
			},
		},
		{
			ID: "COM-VALIDATE-05", Level: Must,
			Title:  "a configuration that is not a JSON object is refused without ending the plugin",
			Rule:   "plugin.proto, head of the file: \"INVALID_ARGUMENT  the request breaks a rule of this file\"",
			Remedy: "return INVALID_ARGUMENT, or a diagnostic of severity ERROR",
			run:    checkGarbage,
		},
		{
			ID: "COM-CONFIGURE-01", Level: Must, After: []string{configFixture},
			Title:  "an equal second Configure returns the first response",
			Rule:   configure + "\"A second call with an equal request returns the first response\"",
			Remedy: "store the request, compare, and respond without creating the component again",
			run:    checkConfigureTwice,
		},
		{
			ID: "COM-CONFIGURE-02", Level: Must, After: []string{configFixture},
			Title:  "a second Configure with another request is FAILED_PRECONDITION",
			Rule:   configure + "\"with another request it fails with FAILED_PRECONDITION\"",
			Remedy: "refuse the call: one process serves one component",
			run:    checkConfigureAnother,
		},
		{
			ID: "COM-CONFIGURE-03", Level: Must,
			Title:  "calls of the component before Configure are FAILED_PRECONDITION",
			Rule:   "plugin.proto, head of the file: \"FAILED_PRECONDITION  a call before Configure, or out of order\"",
			Remedy: "serve the services of all kinds that the plugin has, and refuse calls until Configure",
			run: func(t *T) {
				t.refused(t.component.anyCall(t, t.start()), "a call before Configure", codes.FailedPrecondition)
			},
		},
		{
			ID: "COM-STOP-01", Level: Must, After: []string{configFixture},
			Title: "Stop finishes within its grace period, twice",
			Rule: "plugin.proto, Stop: \"The stream reports progress and ends when nothing is left to do … It is " +
				"idempotent.\"",
			Remedy: "end the stream when the component has finished; respond to a second Stop immediately",
			run:    checkStop,
		},
		{
			ID: "COM-GREASE-01", Level: Must, After: []string{configFixture, "COM-VALIDATE-02"},
			Title:  "unknown fields change nothing",
			Rule:   "plugin.proto, head of the file: \"Receivers ignore unknown fields.\"",
			Remedy: "do not check messages for unknown fields: later hosts send more fields",
			run:    checkGrease,
		},
		{
			ID: "COM-SIZE-01", Level: Must, After: []string{configFixture},
			Title: "the plugin accepts messages of 31 MiB, or of the size that it declares",
			Rule: "plugin.proto, head of the file: \"Messages may have up to 32 MiB in both directions, or the " +
				"size that the plugin declares as max_message_bytes.\"",
			Remedy: "set the message limits of the gRPC server to 32 MiB, or to the max_message_bytes of the " +
				"description: the default is 4 MiB",
			run: checkSize,
		},
		{
			ID: "COM-LOG-01", Level: Must, After: []string{configFixture}, Title: "secret values appear in no log line",
			Rule: "config.proto, Value: \"Paths whose values are secret: use them, but never store, log or return " +
				"them.\"",
			Remedy: "do not log configurations; log the names of their attributes",
			run:    checkSecrets,
		},
	}}
}

// validate calls ValidateConfig.
func (t *T) validate(p *client.Plugin, config json.RawMessage, unknown ...*awhostv1.Path) []*awhostv1.Diagnostic {
	out, err := pluginOf(p).ValidateConfig(t.within(10*time.Second), t.validation(config, unknown...))
	if err != nil {
		t.fatalf("ValidateConfig: %v", err)
	}
	return out.GetDiagnostics()
}

func (t *T) validation(config json.RawMessage, unknown ...*awhostv1.Path) *awhostv1.ValidateConfigRequest {
	return &awhostv1.ValidateConfigRequest{
		Kind: t.component.GetKind(), Type: t.component.GetType(), Config: &awhostv1.Value{Json: config, Unknown: unknown},
	}
}

func errorsIn(list []*awhostv1.Diagnostic) []*awhostv1.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d *awhostv1.Diagnostic) bool { return d.GetSeverity() != awhostv1.Diagnostic_SEVERITY_ERROR })
}

func checkConfig(t *T) {
	if t.component.problem != nil {
		t.fatalf("no configuration is available for the check: %v", t.component.problem)
	}
	for _, d := range errorsIn(t.validate(t.start(), t.component.config)) {
		t.errorf("%s: %s: %s: %s", t.component.fixture.at("config"),
			strings.Join(d.GetAttribute().GetSteps(), "."), d.GetSummary(), d.GetDetail())
	}
}

func checkDescriptions(t *T) {
	for _, a := range t.component.GetSchema().GetAttributes() {
		if strings.TrimSpace(a.GetDescription()) == "" {
			t.errorf("attribute %s has no description", a.GetName())
		}
	}
	if strings.TrimSpace(t.component.GetDescription()) == "" {
		t.errorf("the component has no description")
	}
}

// secretNames matches names of secrets; secretFiles matches names of their locations.
var (
	secretNames = regexp.MustCompile(`(^|_)(key|token|password|secret|credentials?)$`)
	secretFiles = regexp.MustCompile(`(file|path|dir|env)`)
)

func checkSensitive(t *T) {
	for _, a := range t.component.GetSchema().GetAttributes() {
		if secretNames.MatchString(a.GetName()) && !secretFiles.MatchString(a.GetName()) && !a.GetSensitive() {
			t.errorf("attribute %s is not sensitive", a.GetName())
		}
	}
}

func checkInvalid(t *T) {
	if len(t.component.fixture.Invalid) == 0 {
		t.skipf("the fixtures of %s contain no invalid configuration", t.component.address())
	}
	p := t.start()
	for i, wrong := range t.component.fixture.Invalid {
		place := t.component.fixture.at("invalid", i)
		found := errorsIn(t.validate(p, wrong.Config))
		if len(found) == 0 {
			t.errorf("%s: %s gives no error", place, wrong.Config)
			continue
		}
		if !slices.ContainsFunc(found, func(d *awhostv1.Diagnostic) bool {
			return slices.Equal(d.GetAttribute().GetSteps(),
				wrong.Path)
		}) {
			t.errorf("%s: %s returns errors for %v but not for %v", place, wrong.Config,
				found[0].GetAttribute().GetSteps(), wrong.Path)
		}
	}
}

func checkPure(t *T) {
	p := t.start()
	first := t.validate(p, t.component.config)
	// Any answer is fine.
	_, _ = pluginOf(p).ValidateConfig(t.call(), t.validation(json.RawMessage(`{"no such attribute":1}`)))
	second := t.validate(p, t.component.config)
	if !slices.EqualFunc(first, second, func(a, b *awhostv1.Diagnostic) bool { return proto.Equal(a, b) }) {
		t.errorf("the responses differ: the first has %d diagnostics, the second %d", len(first), len(second))
	}
}

// attributes returns the names of the component's attributes.
func (t *T) attributes() (names []string) {
	for _, a := range t.component.GetSchema().GetAttributes() {
		names = append(names, a.GetName())
	}
	return names
}

func checkUnknown(t *T) {
	names := t.attributes()
	if len(names) == 0 {
		t.skipf("%s has no attributes", t.component.address())
	}
	t.reportUnknown(t.start(), names...)
}

// reportUnknown validates the configuration without values that are not known yet.
func (t *T) reportUnknown(p *client.Plugin, names ...string) {
	config := map[string]json.RawMessage{} // with its blocks: they cannot be unknown
	t.need(json.Unmarshal(t.component.config, &config), "read the configuration")
	var unknown []*awhostv1.Path
	for _, name := range names {
		delete(config, name)
		unknown = append(unknown, &awhostv1.Path{Steps: []string{name}})
	}
	for _, d := range errorsIn(t.validate(p, json.RawMessage(object(config)), unknown...)) {
		t.errorf("without %s: %s: %s: %s", strings.Join(names, ", "), strings.Join(d.GetAttribute().GetSteps(), "."),
			d.GetSummary(), d.GetDetail())
	}
}

func checkGarbage(t *T) {
	p := t.start()
	for _, text := range []string{"", "{", "[]", "null", `"text"`, "\xff\xfe", `{"a":1}{"b":2}`,
		strings.Repeat(`{"a":`, 20_000)} {
		out, err := pluginOf(p).ValidateConfig(t.call(), t.validation([]byte(text)))
		shown := fmt.Sprintf("the configuration %.20q", text)
		if err == nil && len(errorsIn(out.GetDiagnostics())) > 0 {
			continue
		}
		if text == "" && err == nil {
			continue // no value given
		}
		t.refused(err, shown, codes.InvalidArgument)
		if p.Exit() != nil {
			t.fatalf("%s ended the plugin: %v", shown, p.Exit())
		}
	}
}

func checkConfigureTwice(t *T) {
	p := t.start()
	req := t.suite.configureRequest(t.component, t.ownDir())
	first, err := pluginOf(p).Configure(t.call(), req)
	t.need(err, "Configure")
	second, err := pluginOf(p).Configure(t.call(), req)
	if err != nil {
		t.fatalf("the second, equal Configure: %v", err)
	}
	if !proto.Equal(first, second) {
		t.errorf("a second, identical Configure call returns a different response")
	}
}

func checkConfigureAnother(t *T) {
	p := t.start()
	req := t.suite.configureRequest(t.component, t.ownDir())
	_, err := pluginOf(p).Configure(t.call(), req)
	t.need(err, "Configure")
	other := proto.Clone(req).(*awhostv1.ConfigureRequest)
	other.RunId = "another"
	_, err = pluginOf(p).Configure(t.call(), other)
	t.refused(err, "a second Configure for another run", codes.FailedPrecondition)
}

func checkStop(t *T) {
	p := t.fresh()
	const grace = 5 * time.Second
	for i := range 2 {
		stream, err := pluginOf(p).Stop(t.within(grace+2*time.Second),
			&awhostv1.StopRequest{Grace: durationpb.New(grace), Reason: "conformance"})
		for err == nil {
			_, err = stream.Recv()
		}
		if s := status.Code(err); s != codes.OK && s != codes.Unknown { // io.EOF is not a status
			t.fatalf("Stop, call %d: %v", i+1, err)
		}
	}
}

func checkGrease(t *T) {
	p := t.start()
	plain, err := pluginOf(p).ValidateConfig(t.call(), t.validation(t.component.config))
	t.need(err, "ValidateConfig")
	greased := t.validation(t.component.config)
	unknown := protowire.AppendTag(nil, 20_047, protowire.BytesType)
	unknown = protowire.AppendString(unknown, "a field of a later protocol")
	greased.ProtoReflect().SetUnknown(unknown)
	out, err := pluginOf(p).ValidateConfig(t.call(), greased)
	if err != nil {
		t.fatalf("with an unknown field: %v", err)
	}
	if !proto.Equal(plain, out) {
		t.errorf("an unknown field changes the response")
	}
}

// maxTriedBytes limits the size of the message in COM-SIZE-01: a plugin may declare 1 GiB, and both sides hold the
// message more than once.
const maxTriedBytes = 128 << 20

func checkSize(t *T) {
	size := min(t.suite.messageBytes(), maxTriedBytes) - 1<<20
	padded := append(bytes.Repeat([]byte(" "), size), t.component.config...) // JSON may begin with spaces
	// The ten-second limit of ValidateConfig applies to configurations of ordinary size.
	out, err := pluginOf(t.start()).ValidateConfig(t.call(), t.validation(padded))
	if err != nil {
		t.fatalf("ValidateConfig: %v", err)
	}
	for _, d := range errorsIn(out.GetDiagnostics()) {
		t.errorf("%s: %s", d.GetSummary(), d.GetDetail())
	}
}

// canary is a unique secret.
const canary = "conformance-canary-6f1d2c"

func checkSecrets(t *T) {
	config := map[string]json.RawMessage{}
	t.need(json.Unmarshal(t.component.config, &config), "read the configuration")
	var sensitive []*awhostv1.Path
	for _, a := range t.component.GetSchema().GetAttributes() {
		if a.GetSensitive() && a.GetType() == `"string"` {
			config[a.GetName()], _ = json.Marshal(canary) // a string: never fails
			sensitive = append(sensitive, &awhostv1.Path{Steps: []string{a.GetName()}})
		}
	}
	if len(sensitive) == 0 {
		t.skipf("%s has no sensitive attribute", t.component.address())
	}
	text, err := json.Marshal(config)
	t.need(err, "write the configuration")
	log := &lines{}
	p := t.startAs(startSettings{log: log})
	var h output
	value := &awhostv1.Value{Json: text, Sensitive: sensitive}
	out, err := pluginOf(p).ValidateConfig(t.call(),
		&awhostv1.ValidateConfigRequest{Kind: t.component.GetKind(), Type: t.component.GetType(), Config: value})
	h.status(err)
	h.add("the response of ValidateConfig", false, out)
	req := t.suite.configureRequest(t.component, t.ownDir())
	req.Config = value
	configured, err := pluginOf(p).Configure(t.call(), req)
	h.status(err)
	h.add("the response of Configure", false, configured)
	if err == nil {
		h.texts = append(h.texts, t.outputOf(p)...)
	}
	p.Kill()
	p.Exit() // the log then has its last lines
	for _, s := range append(h.texts, outputText{"its log", false, log.String()}) {
		if strings.Contains(s.text, canary) {
			t.errorf("the value of a sensitive attribute is in %s: %s", s.where, excerpt(s.text, canary))
		}
	}
}
