package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// This file checks an environment's responses against the protocol when they enter the caller's process. Responses that
// pass may be shown to agents and models. Each error names the field by its path in the response, and lists the allowed
// values.

func checkOpenResponse(out *awhostv1.OpenResponse) error {
	if err := checkMessages(out.GetMessages()); err != nil {
		return err
	}
	if err := checkToolSchemas("tools", out.GetTools()); err != nil {
		return err
	}
	if most := out.GetLimits().GetMaxTurns(); most < 0 {
		return fmt.Errorf("limits.max_turns is %d: want a positive number, or 0 for no limit", most)
	}
	return nil
}

func checkStepResponse(out *awhostv1.StepResponse) error {
	if err := checkMessages(out.GetMessages()); err != nil {
		return err
	}
	if out.TurnReward != nil {
		if err := checkNumber("turn_reward", *out.TurnReward); err != nil {
			return err
		}
	}
	if err := checkFinite("metrics:", out.GetMetrics()); err != nil {
		return err
	}
	return checkToolSchemas("tools_changed.tools", out.GetToolsChanged().GetTools())
}

func checkMessages(messages []*awhostv1.Message) error {
	for i, m := range messages {
		where := fmt.Sprintf("messages[%d]", i)
		if _, known := roles.toGo[m.GetRole()]; !known {
			return fmt.Errorf("%s.role is %s: want system, user, assistant or tool", where, m.GetRole())
		}
		for j, call := range m.GetToolCalls() {
			if !json.Valid([]byte(call.GetArgumentsJson())) {
				return fmt.Errorf("%s.tool_calls[%d].arguments_json is not JSON: %s", where, j, excerpt(call.GetArgumentsJson()))
			}
		}
		for j, a := range m.GetAttachments() {
			if err := checkAttachment(a); err != nil {
				return fmt.Errorf("%s.attachments[%d]%w", where, j, err)
			}
		}
	}
	return nil
}

// sha256Pattern matches a SHA-256 digest.
var sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func checkAttachment(a *awhostv1.Attachment) error {
	if a.GetKind() == awhostv1.AttachmentKind_ATTACHMENT_KIND_UNSPECIFIED {
		return errors.New(".kind is missing: want image, audio, resource, resource link, or structured")
	}
	if text := a.GetStructuredJson(); len(text) > 0 && !json.Valid(text) {
		return fmt.Errorf(".structured_json is not JSON: %s", excerpt(string(text)))
	}
	if sum := a.GetSha256(); sum != "" && (a.Body != nil || !sha256Pattern.MatchString(sum)) {
		const remedy = "want 64 hexadecimal digits, and only if the body was omitted"
		return fmt.Errorf(".sha256 is %s: %s", excerpt(sum), remedy)
	}
	return nil
}

// checkToolSchemas checks tools. A tool without parameters takes no arguments.
func checkToolSchemas(field string, tools []*awhostv1.Tool) error {
	for i, tool := range tools {
		text := tool.GetParametersJson()
		if len(text) > 0 && (!json.Valid(text) || bytes.TrimLeft(text, " \t\r\n")[0] != '{') {
			return fmt.Errorf("%s[%d] (%s).parameters_json is not a JSON Schema object: %s", field, i, tool.GetName(),
				excerpt(string(text)))
		}
	}
	if err := checkTools(toolsFromWire(tools)); err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	return nil
}

func checkState(state []byte) error {
	if len(state) > 0 && !json.Valid(state) {
		return fmt.Errorf("state_json is not JSON: %s", excerpt(string(state)))
	}
	return nil
}

// maxExcerptLength is the maximum length of a quotation from a response in an error.
const maxExcerptLength = 80

func excerpt(text string) string {
	if runes := []rune(text); len(runes) > maxExcerptLength {
		text = string(runes[:maxExcerptLength]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
