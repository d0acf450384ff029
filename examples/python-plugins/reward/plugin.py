"""A reward: 1 when the last message is <answer>GROUND TRUTH</answer>."""

import awhost


@awhost.reward("pyexact", batch_size=64, needs=["ground_truth"])
def exact(item: awhost.Item, *, ignore_case: bool = False) -> awhost.Score:
    """1 when the answer is exactly the ground truth, else 0.

    ignore_case: whether Paris equals paris
    """
    fold = str.casefold if ignore_case else str
    right = fold(item.answer) == fold(f"<answer>{item.task.ground_truth}</answer>")
    return awhost.Score(float(right), is_success=right)


def main() -> None:
    awhost.serve("pyexact", "1.0.0", exact)
