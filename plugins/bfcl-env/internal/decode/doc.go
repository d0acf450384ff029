// Package decode extracts calls from a model's response, like the reference programs.
//
//	calls, err := decode.Text("[cd(folder='a'), ls()]", api.V4)   // BFCL's own prompting
//	content, kind, problem := decode.Response(text)               // EnvTuning: <think>, then <tool_call> or <answer>
//	calls, err = decode.Tools(content)                             // the JSON inside <tool_call>
//
// Calls are texts for package backend to execute. Text that cannot be parsed is an error: it ends the turn, and its
// message is for users.
//
// The text is Python source, which package expr parses into a tree. It is never evaluated, with one exception:
// package expr computes arithmetic between literals, bounded, because the reference evaluates it.
//
// Sources: gorilla, bfcl_eval/model_handler/utils.py; AWorld-RL, EnvTuning/env_tuning/interaction/utils.py.
package decode
