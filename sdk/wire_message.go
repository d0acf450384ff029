package sdk

import (
	"encoding/json"
	"strings"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func messageToWire(m Message) *awhostv1.Message {
	out := &awhostv1.Message{
		Role: roles.toWire[m.Role], Reasoning: m.Reasoning, ToolCallId: m.ToolCallID, Name: m.Name, IsError: m.IsError,
		ToolCalls: mapSlice(m.ToolCalls, func(c ToolCall) *awhostv1.ToolCall {
			return &awhostv1.ToolCall{Id: c.ID, Name: c.Name, ArgumentsJson: c.Arguments}
		}),
		Malformed: mapSlice(m.Malformed, func(c Malformed) *awhostv1.MalformedCall {
			return &awhostv1.MalformedCall{Text: validUTF8(c.Text), Reason: validUTF8(c.Reason)}
		}),
	}
	out.Content = mapSlice(m.Parts(), partToWire)
	out.Attachments = mapSlice(m.Attachments, attachmentToWire)
	return out
}

func partToWire(p Part) *awhostv1.ContentPart {
	if p.Image == nil {
		return &awhostv1.ContentPart{Part: &awhostv1.ContentPart_Text{Text: validUTF8(p.Text)}}
	}
	return &awhostv1.ContentPart{Part: &awhostv1.ContentPart_Image{
		Image: &awhostv1.Image{MimeType: p.Image.MIMEType, Data: p.Image.Data, Url: p.Image.URL},
	}}
}

func partFromWire(p *awhostv1.ContentPart) Part {
	if image := p.GetImage(); image != nil {
		return Part{Image: &Image{MIMEType: image.GetMimeType(), Data: image.GetData(), URL: image.GetUrl()}}
	}
	return Part{Text: p.GetText()}
}

func attachmentToWire(a Attachment) *awhostv1.Attachment {
	out := &awhostv1.Attachment{
		Kind: attachmentKinds.toWire[a.Kind], MimeType: validUTF8(a.MIMEType), Uri: validUTF8(a.URI), Name: validUTF8(a.Name),
		Marker: validUTF8(a.Marker), Sha256: a.SHA256, Size: a.Size,
	}
	switch {
	case a.Data != nil:
		out.Body = &awhostv1.Attachment_Data{Data: a.Data}
	case a.Text != "":
		out.Body = &awhostv1.Attachment_Text{Text: validUTF8(a.Text)}
	case a.JSON != nil:
		out.Body = &awhostv1.Attachment_StructuredJson{StructuredJson: a.JSON}
	}
	return out
}

// attachmentFromWire reads an attachment. Invalid JSON is kept as data, because it could not be re-encoded.
func attachmentFromWire(a *awhostv1.Attachment) Attachment {
	out := Attachment{
		Kind: attachmentKinds.toGo[a.GetKind()], MIMEType: a.GetMimeType(), URI: a.GetUri(), Name: a.GetName(),
		Marker: a.GetMarker(), SHA256: a.GetSha256(), Size: a.GetSize(), Data: a.GetData(), Text: a.GetText(),
	}
	if text := a.GetStructuredJson(); json.Valid(text) {
		out.JSON = text
	} else if len(text) > 0 {
		out.Data = text
	}
	return out
}

// validUTF8 replaces bytes that protobuf strings cannot represent. Token owners use the same replacement when decoding,
// so a message is the same on both sides.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func messageFromWire(m *awhostv1.Message) Message {
	out := Message{
		Role: roles.toGo[m.GetRole()], Reasoning: m.GetReasoning(), ToolCallID: m.GetToolCallId(), Name: m.GetName(),
		IsError: m.GetIsError(),
		ToolCalls: mapSlice(m.GetToolCalls(), func(c *awhostv1.ToolCall) ToolCall {
			return ToolCall{ID: c.GetId(), Name: c.GetName(), Arguments: c.GetArgumentsJson()}
		}),
		Malformed: mapSlice(m.GetMalformed(), func(c *awhostv1.MalformedCall) Malformed {
			return Malformed{Text: c.GetText(), Reason: c.GetReason()}
		}),
	}
	out.SetParts(mapSlice(m.GetContent(), partFromWire))
	out.Attachments = mapSlice(m.GetAttachments(), attachmentFromWire)
	return out
}

func messagesToWire(in []Message) []*awhostv1.Message   { return mapSlice(in, messageToWire) }
func messagesFromWire(in []*awhostv1.Message) []Message { return mapSlice(in, messageFromWire) }

func toolsToWire(in []Tool) []*awhostv1.Tool {
	return mapSlice(in, func(t Tool) *awhostv1.Tool {
		return &awhostv1.Tool{Name: t.Name, Description: t.Description, ParametersJson: t.Parameters, Origin: t.Origin}
	})
}

func toolsFromWire(in []*awhostv1.Tool) []Tool {
	return mapSlice(in, func(t *awhostv1.Tool) Tool {
		return Tool{
			Name: t.GetName(), Description: t.GetDescription(), Parameters: t.GetParametersJson(), Origin: t.GetOrigin(),
		}
	})
}

func taskToWire(t Task) *awhostv1.Task {
	return &awhostv1.Task{Id: t.ID, PublicJson: t.Public, PrivateJson: t.Private, Columns: t.Columns}
}

func taskFromWire(t *awhostv1.Task) Task {
	return Task{ID: t.GetId(), Public: t.GetPublicJson(), Private: t.GetPrivateJson(), Columns: t.GetColumns()}
}

func failureToWire(f *Failure) *awhostv1.Failure {
	if f == nil {
		return nil
	}
	return &awhostv1.Failure{
		Class: failureClasses.toWire[f.Class], Detail: validUTF8(f.Detail), Retryable: f.Retryable, StopRun: f.StopRun,
	}
}

func failureFromWire(f *awhostv1.Failure) *Failure {
	if f == nil {
		return nil
	}
	return &Failure{
		Class: failureClasses.toGo[f.GetClass()], Detail: f.GetDetail(), Retryable: f.GetRetryable(), StopRun: f.GetStopRun(),
	}
}

func samplingToWire(s Sampling) *awhostv1.Sampling {
	return &awhostv1.Sampling{Temperature: s.Temperature, TopP: s.TopP, TopK: int64(s.TopK), MaxTokens: int64(s.MaxTokens),
		Stop: s.Stop}
}

func samplingFromWire(s *awhostv1.Sampling) Sampling {
	if s == nil {
		return Sampling{}
	}
	return Sampling{Temperature: s.Temperature, TopP: s.TopP, TopK: int(s.GetTopK()), MaxTokens: int(s.GetMaxTokens()),
		Stop: s.GetStop()}
}

func spansToWire(in []VersionSpan) []*awhostv1.VersionSpan {
	return mapSlice(in, func(v VersionSpan) *awhostv1.VersionSpan {
		return &awhostv1.VersionSpan{Version: v.Version, Tokens: int64(v.Tokens)}
	})
}

func spansFromWire(in []*awhostv1.VersionSpan) []VersionSpan {
	return mapSlice(in, func(v *awhostv1.VersionSpan) VersionSpan {
		return VersionSpan{Version: v.GetVersion(), Tokens: int(v.GetTokens())}
	})
}

func timingsToWire(t Timings) *awhostv1.Timings {
	return &awhostv1.Timings{
		Queue: durationToWire(t.Queue), Model: durationToWire(t.Model), Environment: durationToWire(t.Environment),
		Reward: durationToWire(t.Reward), Siblings: durationToWire(t.Siblings), Host: durationToWire(t.Host),
	}
}

func timingsFromWire(t *awhostv1.Timings) Timings {
	return Timings{
		Queue: durationFromWire(t.GetQueue()), Model: durationFromWire(t.GetModel()),
		Environment: durationFromWire(t.GetEnvironment()),
		Reward:      durationFromWire(t.GetReward()), Siblings: durationFromWire(t.GetSiblings()),
		Host: durationFromWire(t.GetHost()),
	}
}

// toolSetToWire distinguishes an empty tool list from unknown tools, which are represented by nil.
func toolSetToWire(in []Tool) *awhostv1.ToolSet {
	if in == nil {
		return nil
	}
	return &awhostv1.ToolSet{Tools: toolsToWire(in)}
}

func toolSetFromWire(in *awhostv1.ToolSet) []Tool {
	if in == nil {
		return nil
	}
	return append([]Tool{}, toolsFromWire(in.GetTools())...)
}
