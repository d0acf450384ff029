package sdk_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

func TestToolPatterns(t *testing.T) {
	from := func(origin string) sdk.Tool { return sdk.Tool{Name: "shown", Origin: origin} }
	named := func(name string) sdk.Tool { return sdk.Tool{Name: name} }
	for _, row := range []struct {
		pattern string
		tool    sdk.Tool
		want    bool
	}{
		{"*", from("files/read"), true},
		{"*", named("add"), true},
		{"*", named("a/b"), true},
		{"files", from("files/read"), true},
		{"files", from("search/files"), false},
		{"f*", from("files/read"), true},
		{"files/read", from("files/read"), true},
		{"files/re*", from("files/read"), true},
		{"files/*", from("files/a/b"), true},
		{"files/a/*", from("files/a/b"), true},
		{"files/a/*", from("files/b"), false},
		{"*/read", from("files/read"), true},
		{"*/a/b", from("files/a/b"), true},
		{"*/b", from("files/a/b"), false},
		{"files/*/c", from("files/a/b/c"), true},
		{"shown", from("files/read"), true},
		{"shown/read", from("files/read"), false},
		{"add", named("add"), true},
		{"a?d", named("add"), true},
		{"calc/add", named("calc__add"), true},
		{"calc/*", named("calc__add__all"), true},
		{"calc", named("calc__add"), false}, // a tool named calc may be meant
		{"add/*", named("add"), false},
	} {
		if got := row.tool.Matches(row.pattern); got != row.want {
			t.Errorf("%q matches %+v: %v, want %v", row.pattern, row.tool, got, row.want)
		}
		if err := sdk.CheckToolPattern(row.pattern); err != nil {
			t.Error(err)
		}
	}
}

func TestCheckToolPattern_Refuses(t *testing.T) {
	for pattern, want := range map[string]string{
		"": "names no tool", "/read": "names no tool", "files/": "names no tool", "files/a/": "names no tool",
		"files/[a": "invalid pattern", "[a/b]": "invalid pattern",
	} {
		if err := sdk.CheckToolPattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}
