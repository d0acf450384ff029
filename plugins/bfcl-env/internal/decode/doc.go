// Package decode extracts calls from a model's response, as the reference programs do.
//
//	calls, err := decode.Text("[cd(folder='a'), ls()]", api.V4)   // BFCL's own prompting
//	content, kind, problem := decode.Response(text)               // EnvTuning: <think>, then <tool_call> or <answer>
//	calls, err = decode.Tools(content)                             // the JSON inside <tool_call>
//
// Calls are texts for package backend to execute. Text that cannot be parsed causes an error, which ends the turn and
// has a message for users.
//
// The text is Python source, which package expr parses into a tree. It is never evaluated, with one exception: package
// expr computes arithmetic between literals, within bounds, because the reference evaluates it.
//
// Sources: gorilla, bfcl_eval/model_handler/utils.py; AWorld-RL, EnvTuning/env_tuning/interaction/utils.py.
package decode
