// Package traceparent propagates W3C Trace Context from one program to the next: a call's trace and its parent span. It
// does not depend on an OpenTelemetry SDK; a plugin that uses one passes the string to it.
//
//	ctx = traceparent.With(ctx, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
//	request.Header.Set(traceparent.Header, traceparent.From(ctx))
package traceparent

import "context"

// Header is the name of the header that contains the string, and of its key in gRPC metadata and in MCP's _meta.
const Header = "traceparent"

// Variable is the environment variable that passes the string to programs.
const Variable = "TRACEPARENT"

type key struct{}

// With returns a context that carries a traceparent. It returns ctx itself if the string is not a valid traceparent.
func With(ctx context.Context, text string) context.Context {
	if !Valid(text) {
		return ctx
	}
	return context.WithValue(ctx, key{}, text)
}

// From returns a context's traceparent, or "" if it has none.
func From(ctx context.Context) string {
	text, _ := ctx.Value(key{}).(string)
	return text
}

// length is the length of a version 00 traceparent, which is the only version so far.
const length = len("00-") + 32 + len("-") + 16 + len("-01")

// Valid reports whether a string is a version 00 traceparent.
func Valid(text string) bool {
	if len(text) != length || text[:3] != "00-" || text[35] != '-' || text[52] != '-' {
		return false
	}
	return isID(text[3:35]) && isID(text[36:52]) && isHex(text[53:])
}

// isID reports whether a string is hexadecimal and not zero.
func isID(text string) bool {
	for i := range len(text) {
		if text[i] != '0' {
			return isHex(text)
		}
	}
	return false
}

func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
