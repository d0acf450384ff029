// Package decode reads calls out of what a model writes, as the reference programs do.
//
//	calls, err := decode.Text("[cd(folder='a'), ls()]", api.V4)   // BFCL's own prompting
//	content, kind, problem := decode.Response(text)               // EnvTuning: <think>, then <tool_call> or <answer>
//	calls, err = decode.Tools(content)                             // the JSON inside <tool_call>
//
// Calls are texts, as package backend executes them. What cannot be read is an error: it ends the turn, and its words are
// for people.
//
// The text is Python source, which package expr parses into a tree, and which is never evaluated. The one exception is arithmetic
// between literals, which the reference evaluates and package expr computes, bounded.
//
// Sources: gorilla, bfcl_eval/model_handler/utils.py; AWorld-RL, EnvTuning/env_tuning/interaction/utils.py.
package decode
