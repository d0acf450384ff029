// Package tokenizer converts chat messages to the 256 token IDs used by the embedded trainer's policy, and sampled IDs
// back to messages.
//
// It owns the vocabulary and the chat format. It must not depend on models, plugins or the host.
//
// A token is a byte. Thirteen IDs are control tokens. They use the byte values that never occur in UTF-8 text (C0, C1
// and F5 to FF), so that no text from a user, a tool or a system prompt can forge a role, a tool call or an answer:
// "<answer>" is eight bytes in such text, and one token in the assistant's text.
//
//	<|user|>17+25=<|end|><|assistant|><tool_call>{"name":"add","arguments":{"a":17,"b":25}}</tool_call><|end|>
//	<|tool|>42<|end|><|assistant|><answer>42</answer><|end|>
//
//	prompt, err := tokenizer.Encode(messages)
//	prompt = append(prompt, tokenizer.Assistant) // the header of the answer
//	answer := tokenizer.Decode(sample(prompt))   // ids up to and including End
//
// The sampler keeps the ids: a message that was decoded and encoded again has the same meaning, but not always the same
// ids (a model may write a call with different spaces, or invalid UTF-8). Encoding is for prompts and demonstrations.
// For a demonstration, it produces exactly the IDs that sampling the same message would produce.
package tokenizer
