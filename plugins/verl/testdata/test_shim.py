"""The parts of the shim that need verl and no trainer. Run by shim_test.go in verl's own Python."""

import types
import unittest

from awhost_bridge import GenerateError
from awhost_verl.loop import Episode, stopped_early
from awhost_verl.output import Limits, output


def episode(**members):
    out = object.__new__(Episode)
    known = dict(
        limits=Limits(prompt=4, response=6, logprobs=True), openings={}, first="main", validation=False, steps=[7], generating=0.5,
        prompt=[1, 2], row={}, template=types.SimpleNamespace(end_ids=[99]),
    )
    vars(out).update({**known, **members})
    return out


def row(**columns):
    full = dict(ids=[1, 2, 3, 4, 5, 6], loss_mask=[0, 0, 0, 1, 0, 1], logprobs=[0, 0, 0, -0.5, 0, -0.25], turn_ids=[-1, -1, -1, 0, -1, 1], prompt_length=3)
    return types.SimpleNamespace(**{**full, **columns})


def result(**members):
    full = dict(components={}, is_success=True, reward=1.0, outcome="scored", num_turns=2, timings={}, turn_rewards={})
    return types.SimpleNamespace(**{**full, **members})


class Rooms(unittest.TestCase):
    def test_a_prompt_has_its_own_length_and_the_rest_counts_as_response(self):
        e = episode()
        self.assertEqual(e._room("main", 4), 6)
        e.openings["main"] = 4
        self.assertEqual(e._room("main", 9), 1)
        with self.assertRaises(GenerateError):
            e._room("main", 10)

    def test_a_task_that_begins_with_more_than_a_prompt_is_refused(self):
        with self.assertRaises(GenerateError) as caught:
            episode()._room("main", 5)
        self.assertIn("data.max_prompt_length is 4", str(caught.exception))

    def test_a_later_chain_may_begin_with_more_and_has_the_less_to_say(self):
        e = episode(openings={"main": 4})
        self.assertEqual(e._room("fork", 7), 3)
        e.openings["fork"] = 7
        self.assertEqual(e._room("fork", 9), 1)
        with self.assertRaises(GenerateError):
            e._room("fork", 10)


class Rows(unittest.TestCase):
    def test_prompt_and_response_are_parted_at_the_first_sampled_token(self):
        out = output(episode(), result(), row(), 1.0)
        self.assertEqual((out.prompt_ids, out.response_ids, out.response_mask), ([1, 2, 3], [4, 5, 6], [1, 0, 1]))
        self.assertEqual(out.response_logprobs, [-0.5, 0, -0.25])

    def test_what_a_long_beginning_has_too_many_stands_untrained_in_the_response(self):
        ids = list(range(1, 10))
        long = row(ids=ids, loss_mask=[0] * 7 + [1, 1], logprobs=[0] * 7 + [-0.5, -0.25], turn_ids=[-1] * 7 + [0, 0], prompt_length=7)
        out = output(episode(), result(), long, 1.0)
        self.assertEqual((out.prompt_ids, out.response_ids), (ids[:4], ids[4:]))
        self.assertEqual(out.response_mask, [0, 0, 0, 1, 1])
        self.assertEqual(out.response_logprobs, [0, 0, 0, -0.5, -0.25])

    def test_without_a_row_nothing_is_trained(self):
        out = output(episode(), result(reward=None), None, 0.25)
        self.assertEqual((out.prompt_ids, out.response_ids, out.response_mask), ([1, 2], [99], [0]))

    def test_a_validation_shows_what_was_sampled_trained_or_not(self):
        out = output(episode(validation=True), result(), row(loss_mask=[0] * 6), 1.0)
        self.assertEqual(out.response_mask, [1, 0, 1])


class Ends(unittest.TestCase):
    def test_a_message_without_an_end_token_was_cut_unless_a_stop_was_asked_for(self):
        self.assertFalse(stopped_early({}, "completed", True))
        self.assertFalse(stopped_early({"stop": ["\n"]}, "completed", False))
        self.assertFalse(stopped_early({"stop": ["\n"]}, "length", True))
        self.assertTrue(stopped_early({"stop": ["\n"]}, "completed", True))


if __name__ == "__main__":
    unittest.main()
