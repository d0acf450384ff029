package telemetry

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/awhost/awhost/host/event"
)

// scopeName is the instrumentation scope of all spans.
const scopeName = "github.com/awhost/awhost"

// collector sends spans to an OpenTelemetry collector with the SDK's client. The client implements OTLP, retries, and
// the environment variables for certificates, timeouts and compression.
type collector struct {
	client interface {
		UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error
		Stop(ctx context.Context) error
	}
	resource *resourcepb.Resource
	schema   string // schema URL of the resource
	scope    *commonpb.InstrumentationScope
}

// newCollector returns a client. An error concerns the settings: the collector is not contacted.
func newCollector(ctx context.Context, config Config, publish func(event.Payload)) (*collector, error) {
	client := otlptracehttp.NewClient(
		otlptracehttp.WithEndpointURL(config.Settings.Traces.Endpoint),
		otlptracehttp.WithHeaders(config.Settings.Traces.Headers),
		otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf), // regardless of the environment
	)
	if err := client.Start(ctx); err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	described, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(config.resource()...), resource.WithFromEnv()) // the last one takes precedence
	if err != nil { // in the environment; its valid attributes are used
		publish(event.Warning{
			Code: codeTelemetry, Summary: "invalid OTEL_RESOURCE_ATTRIBUTES in the environment", Detail: err.Error(),
		})
	}
	return &collector{
		client: client, resource: messageOf(described), schema: described.SchemaURL(),
		scope: &commonpb.InstrumentationScope{Name: scopeName, Version: config.Version},
	}, nil
}

// messageOf returns a resource as a protobuf message.
func messageOf(described *resource.Resource) *resourcepb.Resource {
	out := &resourcepb.Resource{}
	for _, a := range described.Attributes() {
		value := &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: cut(a.Value.String(), mostContent)}}
		if a.Value.Type() == attribute.INT64 {
			value.Value = &commonpb.AnyValue_IntValue{IntValue: a.Value.AsInt64()}
		}
		out.Attributes = append(out.Attributes, &commonpb.KeyValue{Key: string(a.Key), Value: value})
	}
	return out
}

// take sends spans. It returns the number of spans that the collector did not accept, and the error.
func (c *collector) take(ctx context.Context, spans *encoder) (lost int, err error) {
	of := &tracepb.ScopeSpans{Scope: c.scope}
	of.ProtoReflect().SetUnknown(spans.b) // already encoded fields, copied unchanged
	err = c.client.UploadTraces(ctx, []*tracepb.ResourceSpans{{
		Resource: c.resource, SchemaUrl: c.schema, ScopeSpans: []*tracepb.ScopeSpans{of},
	}})
	if err == nil {
		return 0, nil
	}
	return min(rejected(err, spans.spans), spans.spans), err
}

// partly matches the client's error for a partially accepted request. Its type is not exported.
var partly = regexp.MustCompile(`(?s)^OTLP partial success: .*\((\d+) spans rejected\)$`)

// rejected returns how many of a request's n spans were lost.
func rejected(err error, n int) int {
	if said := partly.FindStringSubmatch(err.Error()); said != nil {
		if some, err := strconv.Atoi(said[1]); err == nil {
			return some
		}
	}
	return n
}

// close closes the connections.
func (c *collector) close(ctx context.Context) { _ = c.client.Stop(ctx) }
