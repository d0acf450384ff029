package dataset

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// settleMessages checks a list of messages and converts OpenAI's chat format, which most published datasets use, to the
// format of sdk.Message: content parts become text and images, and the {"function": {…}} of a tool call is flattened.
// Members unknown to sdk.Message are kept.
func settleMessages(value any) (any, *problem) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, &problem{reason: "messages is " + kindOrEmpty(value),
			remedy: "write a list of messages, each with a role and content"}
	}
	for i, entry := range list {
		if reason := settleMessage(entry); reason != "" {
			return nil, messagesProblem(i, reason)
		}
		if isPlain(entry) {
			continue
		}
		var message sdk.Message
		if err := json.Unmarshal(canonical(entry), &message); err != nil {
			return nil, messagesProblem(i, wrongMember(err))
		}
	}
	return list, nil
}

// isPlain reports whether a settled message consists only of a role and text, as most messages do. Such a message needs
// no further type check.
func isPlain(entry any) bool {
	message, _ := entry.(map[string]any)
	_, hasText := message["content"].(string)
	return hasText && len(message) == 2
}

// wrongMember describes the message member whose type does not match sdk.Message.
func wrongMember(err error) string {
	_, problem := sdk.DescribeDecodeError(nil, err)
	return problem
}

func kindOrEmpty(value any) string {
	if list, ok := value.([]any); ok && len(list) == 0 {
		return "empty"
	}
	return kindOf(value)
}

func messagesProblem(i int, reason string) *problem {
	return &problem{
		reason: fmt.Sprintf("message %d: %s", i+1, reason),
		remedy: `write messages as {"role": "user", "content": "…"}, as in OpenAI's chat format`,
	}
}

// settleMessage changes one message in place and returns the mistake found in it.
func settleMessage(entry any) (reason string) {
	message, ok := entry.(map[string]any)
	if !ok {
		return "it is " + kindOf(entry) + ", not an object"
	}
	dropNulls(message)
	if reason := Misspelt(message, messageMembers); reason != "" {
		return reason
	}
	role, _ := message["role"].(string)
	switch sdk.Role(role) {
	case sdk.RoleSystem, sdk.RoleUser, sdk.RoleAssistant, sdk.RoleTool:
	default:
		return fmt.Sprintf("the role is %s, not system, user, assistant or tool", quoteOrKind(message["role"]))
	}
	if reason := settleContent(message); reason != "" {
		return reason
	}
	if reason := settleCalls(message); reason != "" {
		return reason
	}
	if len(message) == 1 {
		return "content is missing"
	}
	return ""
}

// The members of sdk.Message and sdk.ToolCall.
var messageMembers, callMembers = membersOf(reflect.TypeFor[sdk.Message]()), membersOf(reflect.TypeFor[sdk.ToolCall]())

// membersOf returns the JSON names of a struct's fields.
func membersOf(structure reflect.Type) []string {
	var names []string
	for field := range structure.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// Misspelt returns the mistake for a member whose name differs from one of the names only in case. A lookup by the
// correct name does not find it, but encoding/json later decodes it as that member.
func Misspelt[V any](object map[string]V, names []string) (reason string) {
	first := ""
	for given := range object {
		if slices.Contains(names, given) {
			continue
		}
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(given, name) })
		if i >= 0 && (first == "" || given < first) {
			first, reason = given, fmt.Sprintf("unknown member %q: write %q", given, names[i])
		}
	}
	return reason
}

// dropNulls removes members without a value: columnar formats have all members in all messages.
func dropNulls(object map[string]any) {
	for name, value := range object {
		if value == nil {
			delete(object, name)
		}
	}
}

func quoteOrKind(value any) string {
	if text, ok := value.(string); ok && len(text) <= 40 {
		return fmt.Sprintf("%q", text)
	}
	return kindOf(value)
}

func settleContent(message map[string]any) (reason string) {
	content, ok := message["content"]
	if !ok {
		return ""
	}
	switch v := content.(type) {
	case string:
		return ""
	case []any:
		return settleParts(message, v)
	}
	return "content is " + kindOf(content) + ", not text"
}

// settleParts joins text parts and lists images with their positions in the text.
func settleParts(message map[string]any, parts []any) (reason string) {
	var text strings.Builder
	var images []any
	var places []int // of the images in the text
	for _, entry := range parts {
		part, _ := entry.(map[string]any)
		words, hasText := part["text"].(string)
		image, _ := part["image_url"].(map[string]any)
		url, hasURL := image["url"].(string)
		switch {
		case part["type"] == "text" && hasText:
			text.WriteString(words)
		case part["type"] == "image_url" && hasURL:
			images = append(images, map[string]any{"url": url})
			places = append(places, text.Len())
		default:
			return "content has a part that is neither text nor image_url"
		}
	}
	message["content"] = text.String()
	for i, image := range images {
		if after := text.Len() - places[i]; after > 0 {
			image.(map[string]any)["text_after"] = json.Number(strconv.Itoa(after))
		}
	}
	if len(images) > 0 {
		message["images"] = images
	}
	return ""
}

func settleCalls(message map[string]any) (reason string) {
	value, ok := message["tool_calls"]
	if !ok {
		return ""
	}
	calls, ok := value.([]any)
	if !ok {
		return "tool_calls are " + kindOf(value) + ", not a list"
	}
	for _, entry := range calls {
		if reason := settleCall(entry); reason != "" {
			return reason
		}
	}
	return ""
}

func settleCall(entry any) (reason string) {
	call, ok := entry.(map[string]any)
	if !ok {
		return "a tool call is " + kindOf(entry) + ", not an object"
	}
	dropNulls(call)
	if function, ok := call["function"].(map[string]any); ok {
		delete(call, "function")
		delete(call, "type")
		for name, value := range function {
			call[name] = value
		}
	}
	if reason := Misspelt(call, callMembers); reason != "" {
		return "a tool call: " + reason
	}
	if name, _ := call["name"].(string); name == "" {
		return "a tool call has no name"
	}
	if object, ok := call["arguments"].(map[string]any); ok {
		call["arguments"] = string(canonical(object))
	}
	arguments, ok := call["arguments"].(string)
	if !ok || !json.Valid([]byte(arguments)) {
		return "the arguments of a tool call are not JSON text"
	}
	return ""
}
