"""What an episode of a harness is worth: the file that it was to write, and the answer."""


def note_and_sum(final_answer: str, ground_truth: str, metadata: dict) -> dict:
    files = metadata["program"]["files"]
    wrote = files.get("note.txt", "").strip() == "hello"
    said = ground_truth in final_answer
    return {"score": 0.5 * wrote + 0.5 * said, "is_success": wrote and said}
