"""The parts of the shim that need verl and no trainer. Run by shim_test.go in verl's own Python."""

import types
import unittest
from unittest import mock

import torch
from awhost_bridge import GenerateError
from awhost_verl.cpu.sampler import Request, sample
from awhost_verl.loop import Episode, stopped_early, takes_seeds
from awhost_verl.output import Limits, output, scored_outputs, trained_rows


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


    def test_the_rows_that_are_told_are_those_that_verl_takes(self):
        short, long = row(trained=1), row(ids=[7, 8, 9, 4, 5, 6], trained=2)
        e = episode(id="e", ledger=types.SimpleNamespace(rows=lambda _: [long, short], main_row=lambda _: (long, 1)))
        for lists, wanted in (True, [short, long]), (False, [long]):
            with mock.patch("awhost_verl.version.takes_lists", return_value=lists):
                self.assertEqual(trained_rows(e, result()), wanted)
                outputs = scored_outputs(e, result(masked=False, drop_group=False))
            self.assertEqual([out.prompt_ids + out.response_ids for out in outputs], [r.ids for r in wanted])


class Ends(unittest.TestCase):
    def test_a_message_without_an_end_token_was_cut_unless_a_stop_was_asked_for(self):
        self.assertFalse(stopped_early({}, "completed", True))
        self.assertFalse(stopped_early({"stop": ["\n"]}, "completed", False))
        self.assertFalse(stopped_early({"stop": ["\n"]}, "length", True))
        self.assertTrue(stopped_early({"stop": ["\n"]}, "completed", True))


class Seeds(unittest.TestCase):
    """Two runs of a spec are to draw the same messages, however their requests happen to be batched."""

    def setUp(self):
        from transformers import Qwen2Config, Qwen2ForCausalLM

        torch.manual_seed(1)
        shape = dict(vocab_size=50, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
        self.model = Qwen2ForCausalLM(Qwen2Config(**shape)).float().eval()

    def drawn(self, *requests):
        return [ids for ids, _ in sample(self.model, list(requests), {49}, 0)]

    def test_a_message_follows_from_its_seed_and_not_from_its_neighbours(self):
        first, other = Request([1, 2], 12, 1.0, seed=2**64 - 3), Request([3, 4, 5, 6], 20, 0.7, seed=8)
        alone, = self.drawn(first)
        torch.manual_seed(2)
        self.assertEqual(alone, self.drawn(other, first)[1])
        self.assertNotEqual(alone, *self.drawn(Request([1, 2], 12, 1.0, seed=4)))

    def test_without_a_seed_samples_differ(self):
        once, again = self.drawn(Request([1, 2], 12, 1.0), Request([1, 2], 12, 1.0))
        self.assertNotEqual(once, again)

    def test_vllm_gets_seeds_where_determinism_is_asked_for(self):
        class Rollout(dict):
            name = property(lambda self: self["name"])

        for name, full, wanted in (("vllm", True, True), ("vllm", False, False), ("sglang", True, False), ("awhost_cpu", False, True)):
            self.assertEqual(takes_seeds(Rollout(name=name, full_determinism=full)), wanted, (name, full))
        self.assertFalse(takes_seeds(Rollout(name="vllm")), "0.7 has no such key")


class Batches(unittest.TestCase):
    def test_rows_come_in_the_order_of_the_data_whichever_ended_first(self):
        try:
            from awhost_verl.poll import in_order
        except ImportError:
            self.skipTest("verl before 0.9 has no such buffer")
        rows = {"b_10_0": {"n": 1}, "a_1_1": {"n": 2}, "b_2_0": {"n": 3}, "a_1_0": {"n": 4}}
        self.assertEqual(list(in_order(["b", "a"], rows).items()), [("b_2_0", {"n": 3}), ("b_10_0", {"n": 1}), ("a_1_0", {"n": 4}), ("a_1_1", {"n": 2})])


class Draws(unittest.IsolatedAsyncioTestCase):
    async def test_the_engine_gets_the_seed_of_the_message(self):
        seen = []

        class Manager:
            async def generate(self, request_id, prompt_ids, sampling_params):
                seen.append(sampling_params)
                return types.SimpleNamespace(token_ids=[99], log_probs=[-0.5], stop_reason="completed")

        class Call:
            prompt_ids, chain = [1, 2], "main"

            def sampled(self, *_, **__):
                return {}

        for seeded in (True, False):
            loop = types.SimpleNamespace(seeded=seeded, settings={}, server_manager=Manager())
            e = episode(loop=loop, sampling={}, id="e", ledger=types.SimpleNamespace(extend=lambda _: Call()))
            await e.generate({"sampling": {}, "tools": [], "seed": str(2**63 + 5)})
        self.assertEqual([s.get("seed") for s in seen], [5, None])


if __name__ == "__main__":
    unittest.main()
