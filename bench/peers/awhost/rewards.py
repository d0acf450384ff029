"""The reward of the comparison."""


def score(final_answer, ground_truth, task, raising=False):
    """Returns 1 for the correct answer."""
    if raising and int(task["id"]) % 20 == 7:
        raise RuntimeError("the reward raises on purpose")
    return float(f"<answer>{ground_truth}</answer>" in final_answer)
