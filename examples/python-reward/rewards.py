"""A reward of one's own. awhost passes what the function names among its parameters, and `arguments` of the spec."""

import re

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def answer_and_call(final_answer, messages, prompt_messages, ground_truth, partial=0.0):
    """1 for the right answer; `partial` for an answer without one that called a tool, which is better than guessing."""
    found = ANSWER.findall(final_answer)
    acc = len(found) == 1 and found[0].strip() == str(ground_truth)
    called = any(m.get("tool_calls") for m in messages[prompt_messages:])  # not the examples in the prompt
    return {
        "score": 1.0 if acc else partial * called,
        "acc": acc,
        "called": called,
        "is_success": acc and called,
    }
