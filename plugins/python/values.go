package pythonplugin

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// value is an episode value that a function may request through the name of a parameter.
type value struct {
	name    string
	meaning string // for the documentation
	// of returns its JSON. nil means that the episode has no such value, so the parameter's default is used.
	of func(*episode) json.RawMessage
}

// values lists all values in the order used in the documentation: verl's first.
var values = []value{
	{"data_source", "the task's column of that name; empty when it has none", func(e *episode) json.RawMessage {
		return or(e.public()["data_source"], `""`)
	}},
	{"solution_str", "the whole response as verl decodes it: everything after the prompt, thoughts, tool calls and tool results included; the raw answer of an offline item", func(e *episode) json.RawMessage {
		return encoded(solution(e.item))
	}},
	{"ground_truth", "the task's ground truth, as in the data: a text, a number, a list, …",
		func(e *episode) json.RawMessage {
			return e.private()["ground_truth"]
		}},
	{"extra_info", "the task's column of that name, a dict, with `num_turns` and `rollout_reward_scores` added, as verl adds them", (*episode).extraInfo},
	{"reward_scores", "`{\"user_turn_rewards\": [...]}`: the environment's turn rewards, in the format of verl's interactions; without turn rewards, the task's column of that name", (*episode).rewardScores},
	{"messages", "the transcript in the chat format of OpenAI, prompt included; empty for an offline item without messages", func(e *episode) json.RawMessage {
		return chatMessages(e.item.Messages)
	}},
	{"attachments", "the environment's results other than text, such as pictures and structured results: a list of " +
		"dicts with `message` (the place in `messages`), `kind`, `mime_type`, `uri`, `name`, `data` (in base64), " +
		"`text`, `json`, and `sha256` and `size` of what was too large", func(e *episode) json.RawMessage {
		return attachments(e.item.Messages)
	}},
	{"prompt_messages", "how many of `messages` are the prompt", func(e *episode) json.RawMessage {
		return encoded(len(e.item.Messages) - len(e.item.Response()))
	}},
	{"task", "all columns of the task, the private ones too, and `id` if it has no such column: a dict", (*episode).task},
	{"task_id", "the task's id", func(e *episode) json.RawMessage { return encoded(e.item.Task.ID) }},
	{"prompt", "the task's column of that name", func(e *episode) json.RawMessage { return e.public()["prompt"] }},
	{"final_answer", "the content of the policy's last message; the raw answer of an offline item",
		func(e *episode) json.RawMessage {
			return encoded(e.item.FinalAnswer)
		}},
	{"turn_rewards", "the environment's rewards of single turns: a list of numbers", func(e *episode) json.RawMessage {
		return or(encoded(e.item.TurnRewards), "[]")
	}},
	{"num_turns", "how many messages the policy wrote", func(e *episode) json.RawMessage { return encoded(e.turns()) }},
	{"metadata", "what the agent left: a dict", func(e *episode) json.RawMessage { return or(e.item.Metadata, "{}") }},
	{"environment_state", "the environment's last state; of a reward `python_state` only",
		func(e *episode) json.RawMessage { return e.item.State }},
	{"episode_id", "the episode's id, unique in a run",
		func(e *episode) json.RawMessage { return encoded(e.item.EpisodeID) }},
}

// taskColumns is a value only for AgentJet's judges: no parameter name selects it.
var taskColumns = value{"task_columns", "", func(e *episode) json.RawMessage {
	return or(encoded(e.item.Task.Columns), "{}")
}}

func valueNames() []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.name
	}
	return names
}

// episode is an item whose task is decoded at most once.
type episode struct {
	item                sdk.ScoreItem
	publicly, privately map[string]json.RawMessage
}

// arguments returns the values that a function needs from an item, as a JSON object on one line.
func arguments(item sdk.ScoreItem, wants []string) []byte {
	e := &episode{item: item}
	out := bytes.NewBufferString("{")
	for _, v := range append(slices.Clip(values), taskColumns) {
		if !slices.Contains(wants, v.name) {
			continue
		}
		text := v.of(e)
		if len(text) == 0 {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(`"` + v.name + `":`)
		before := out.Len()
		if json.Compact(out, text) != nil { // invalid JSON from a caller that violates the protocol
			out.Truncate(before)
			out.WriteString("null")
		}
	}
	out.WriteByte('}')
	return out.Bytes()
}

func (e *episode) public() map[string]json.RawMessage {
	if e.publicly == nil {
		e.publicly = object(e.item.Task.Public)
	}
	return e.publicly
}

func (e *episode) private() map[string]json.RawMessage {
	if e.privately == nil {
		e.privately = object(e.item.Task.Private)
	}
	return e.privately
}

// object decodes a JSON object. It returns an empty map for other values.
func object(text json.RawMessage) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	if len(text) > 0 && json.Unmarshal(text, &members) != nil || members == nil {
		return map[string]json.RawMessage{}
	}
	return members
}

func (e *episode) task() json.RawMessage {
	all := map[string]json.RawMessage{"id": encoded(e.item.Task.ID)}
	maps.Copy(all, e.public())
	maps.Copy(all, e.private())
	return encoded(all)
}

func (e *episode) extraInfo() json.RawMessage {
	info := object(e.public()["extra_info"])
	maps.Copy(info, object(e.private()["extra_info"]))
	info["num_turns"] = encoded(e.turns())
	info["rollout_reward_scores"] = e.rewardScores()
	return encoded(info)
}

func (e *episode) rewardScores() json.RawMessage {
	if given := e.public()["reward_scores"]; len(e.item.TurnRewards) == 0 && len(given) > 0 {
		return given
	}
	return encoded(map[string]json.RawMessage{"user_turn_rewards": or(encoded(e.item.TurnRewards), "[]")})
}

func (e *episode) turns() int {
	return len(e.item.Written())
}

// or returns a default if the JSON text is missing or null.
func or(text json.RawMessage, otherwise string) json.RawMessage {
	if len(text) == 0 || string(text) == "null" {
		return json.RawMessage(otherwise)
	}
	return text
}
