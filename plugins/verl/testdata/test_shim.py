"""The parts of the shim that need verl and no trainer. Run by shim_test.go in verl's own Python."""

import types
import unittest
from unittest import mock

import numpy as np
import torch
from omegaconf import OmegaConf
from awhost_bridge import GenerateError
from awhost_verl.cpu.sampler import Request, sample
from awhost_verl.loop import AwhostAgentLoop, Episode, stopped_early, takes_seeds
from awhost_verl.output import Limits, output, scored_outputs, trained_rows


def episode(**members):
    out = object.__new__(Episode)
    known = dict(
        limits=Limits(prompt=4, response=6, logprobs=True), openings={}, first="main", validation=False, steps=[7], generating=0.5,
        prompt=[1, 2], row={}, overlong=False, template=types.SimpleNamespace(end_ids=[99]),
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


class Overlong(unittest.IsolatedAsyncioTestCase):
    """verl's own data loader leaves out tasks with long prompts if data.filter_overlong_prompts is set. Here the worker does."""

    async def run_one(self, filters, validation=False, lists=True, tokens=5, reward=0.0):
        said = []

        class Bridge:
            async def run_episode(self, request, generate, restart):
                try:
                    await generate({"sampling": {}, "tools": [], "seed": "1"})
                except GenerateError:
                    pass
                return result(reward=reward, masked=False, drop_group=False, metrics={"awhost/neutral_reward": 0.5})

            async def event(self, event):
                said.append(event["consumed"]["episodes"][0]["use"])

        async def shared(*_, **__):
            return Bridge()

        e = episode(id="e", validation=validation, sampling={}, restart=None, request=lambda: {})
        call = types.SimpleNamespace(prompt_ids=list(range(tokens)), chain="main", grammar=None)
        e.ledger = types.SimpleNamespace(extend=lambda _: call, rows=lambda _: [], main_row=lambda _: (None, 0), shown=lambda _: None)
        e.loop = types.SimpleNamespace(settings={"smoke": False}, seeded=False, server_manager=None)
        loop = object.__new__(AwhostAgentLoop)
        vars(loop).update(limits=e.limits, filters=filters, settings={"endpoint_file": "x"})

        async def tell(*_, **__):
            pass

        with mock.patch.multiple("awhost_verl.loop", shared=shared, Episode=lambda *_: e, tell_tokens=tell), \
                mock.patch("awhost_verl.version.takes_lists", return_value=lists):
            return await loop.run({}), said

    async def test_an_overlong_task_is_left_out_where_the_filter_is_on(self):
        self.assertEqual(await self.run_one(True), ([], ["USE_FILTERED"]))
        outputs, said = await self.run_one(False)
        self.assertEqual((len(outputs), said), (1, []))

    async def test_validation_counts_it(self):
        outputs, said = await self.run_one(True, validation=True)
        self.assertEqual((len(outputs), said), (1, []))

    async def test_a_trainer_that_wants_a_row_gets_one_without_trained_tokens(self):
        for reward, wanted in (0.0, 0.0), (None, 0.5):
            out, said = await self.run_one(True, lists=False, reward=reward)
            self.assertEqual((out.response_mask, out.reward_score, said), ([0], wanted, ["USE_FILTERED"]))


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


def several_rows():
    """The parts of verl's trainer that awhost replaces, from 0.9 on."""
    from awhost_verl import trainer, version

    if not version.has_v1():
        raise unittest.SkipTest("verl before 0.9 takes one row per episode")
    return trainer


# A rollout is its group, its reward and the trained tokens of each of its rows.
ROLLOUTS = [
    ("a", 1.0, [3, 1, 2]), ("a", 0.0, [4]), ("a", 0.25, [2, 5]),
    ("b", 0.5, [1, 1, 1, 1]), ("b", 2.0, [6]), ("b", 0.0, [2]),
]


class Baselines(unittest.TestCase):
    """However an estimator compares, the rows of a rollout are one sample: cutting a rollout into rows changes no token's advantage."""

    def batch(self, rollouts, penalties):
        from verl import DataProto

        keys, uids, masks, scores, extra, width = [], [], [], [], [], 2 + max(max(rows) for _, _, rows in rollouts)
        for number, (group, reward, rows) in enumerate(rollouts):
            at = 0
            for index, length in enumerate(rows):
                keys.append(f"{group}_{number}_{index}")
                uids.append(group)
                mask, score, own = torch.zeros(3, width)
                mask[1 : 1 + length] = 1  # an untrained token before and after: a tool's answer
                score[length + 1], own[1 : 1 + length] = reward, penalties * torch.arange(at, at + length)
                at += length
                masks, scores, extra = [*masks, mask], [*scores, score], [*extra, own]
        keys.append("pad0_0_0")
        uids, masks, scores, extra = [*uids, "pad0"], [*masks, torch.zeros(width)], [*scores, torch.zeros(width)], [*extra, torch.zeros(width)]
        order = torch.randperm(len(keys), generator=torch.Generator().manual_seed(3)).tolist()  # verl balances a batch by length
        scores, tensors = torch.stack(scores), {"response_mask": torch.stack(masks).long()}
        tensors |= {"token_level_scores": scores, "token_level_rewards": scores + torch.stack(extra)}
        data = DataProto.from_dict(tensors={k: v[order] for k, v in tensors.items()}, non_tensors={"uid": np.array(uids, dtype=object)[order]})
        return data, [keys[i] for i in order]

    def advantages(self, trainer, rollouts, estimator, penalties):
        from verl.trainer.config import AlgoConfig
        from verl.trainer.ppo.v1.utils import compute_advantage_for_multi_trajectories

        data, keys = self.batch(rollouts, penalties)
        compute = trainer.advantages(compute_advantage_for_multi_trajectories)
        data = compute(data, batch_keys=keys, adv_estimator=estimator, num_repeat=3, config=AlgoConfig())
        out = []
        for number in range(len(rollouts)):
            own = sorted((key, i) for i, key in enumerate(keys) if key.split("_")[1] == str(number) and not key.startswith("pad"))
            rows = [data.batch["advantages"][i][data.batch["response_mask"][i].bool()] for _, i in own]
            out.append(torch.cat(rows))
        self.assertEqual(float(data.batch["advantages"][data.batch["response_mask"] == 0].abs().sum()), 0.0)
        return out

    def test_cutting_a_rollout_into_rows_changes_no_advantage(self):
        trainer = several_rows()
        whole = [(group, reward, [sum(rows)]) for group, reward, rows in ROLLOUTS]
        estimators = "grpo", "grpo_vectorized", "grpo_passk", "rloo", "rloo_vectorized", "reinforce_plus_plus_baseline", "opo", "gpg"
        for estimator in estimators:
            for penalties in (0.0, -0.01):
                if penalties and estimator == "grpo":
                    continue  # verl's own way through
                with self.subTest(estimator=estimator, penalties=penalties):
                    want, got = (self.advantages(trainer, r, estimator, penalties) for r in (whole, ROLLOUTS))
                    for w, g in zip(want, got):
                        torch.testing.assert_close(g, w)

    def test_rloo_leaves_one_out_among_rollouts(self):
        want = [0.875, -0.625, -0.25, -0.5, 1.75, -1.25]  # the reward minus the mean of the group's two others
        for value, got in zip(want, self.advantages(several_rows(), ROLLOUTS, "rloo", 0.0)):
            torch.testing.assert_close(got, torch.full_like(got, value))


class Updates(unittest.TestCase):
    """A step has the configured number of updates, however many rows it has."""

    def step(self, rows, prompts=4, mini=4, ranks=1, micro=1, packed=False, epochs=1):
        trainer = several_rows()
        part = dict(ppo_mini_batch_size=mini, ppo_micro_batch_size_per_gpu=micro, use_dynamic_bsz=packed, ppo_epochs=epochs)
        config = OmegaConf.create({
            "data": {"train_batch_size": prompts}, "trainer": {"critic_warmup": 0},
            "actor_rollout_ref": {"actor": part, "rollout": {"log_prob_micro_batch_size_per_gpu": micro}},
        })
        sent = []

        class Upstream:
            use_critic = use_reference_policy = False
            parameter_sync_step, global_steps = 1, 1

            def __init__(self):
                self.config = config

            def _setup(self):
                self.actor_rollout_wg = types.SimpleNamespace(update_actor=lambda batch: sent.append(dict(batch.extra_info)))

            def _update_actor(self, batch, metrics):
                batch.extra_info.update(mini_batch_size=12, global_batch_size=12, epochs=epochs)  # as verl fixes them
                self.actor_rollout_wg.update_actor(batch)
                return batch

        run = type("Run", (trainer.RolloutSteps, Upstream), {})()
        run._setup()
        multiple = run._get_required_batch_multiple(ranks)
        keys = [f"u_{n % 3}_{n}" for n in range(rows)]
        keys += [f"pad_{n}_0" for n in range(-rows % multiple)]

        class Batch:
            def __init__(self):
                self.keys, self.extra_info = keys, {}

            def __len__(self):
                return len(self.keys)

        metrics = {}
        run._update_actor(Batch(), metrics)
        return metrics[trainer.UPDATES], sent[0], len(keys)

    def test_one_update_for_any_number_of_rows(self):
        for rows in (1, 5, 12, 13, 55):
            for ranks, micro, packed in (1, 1, False), (4, 1, True), (2, 3, False):
                updates, sent, total = self.step(rows, ranks=ranks, micro=micro, packed=packed)
                self.assertEqual((updates, sent["mini_batch_size"]), (1, total), rows)
                self.assertLess(total - rows, ranks * micro)
                self.assertEqual(total % (ranks * (1 if packed else micro)), 0)
                self.assertEqual(sent["global_batch_size"], min(rows, 3), "losses divide by rollouts")

    def test_mini_batches_and_epochs_that_are_asked_for(self):
        for rows in (9, 55):
            updates, sent, total = self.step(rows, mini=2, ranks=2, epochs=3)
            self.assertEqual((updates, sent["mini_batch_size"] * 2, sent["global_batch_size"]), (6, total, 1.5))


class Draws(unittest.IsolatedAsyncioTestCase):
    async def test_the_engine_gets_the_seed_of_the_message(self):
        seen = []

        class Manager:
            async def generate(self, request_id, prompt_ids, sampling_params):
                seen.append(sampling_params)
                return types.SimpleNamespace(token_ids=[99], log_probs=[-0.5], stop_reason="completed")

        class Call:
            prompt_ids, chain, grammar = [1, 2], "main", None

            def sampled(self, *_, **__):
                return {}

        for seeded in (True, False):
            loop = types.SimpleNamespace(seeded=seeded, settings={}, server_manager=Manager())
            e = episode(loop=loop, sampling={}, id="e", ledger=types.SimpleNamespace(extend=lambda _: Call()))
            await e.generate({"sampling": {}, "tools": [], "seed": str(2**63 + 5)})
        self.assertEqual([s.get("seed") for s in seen], [5, None])

    async def test_a_grammar_reaches_the_cpu_sampler_only(self):
        seen = []

        class Manager:
            async def generate(self, request_id, prompt_ids, sampling_params):
                seen.append(sampling_params["awhost_grammar"])
                return types.SimpleNamespace(token_ids=[99], log_probs=[-0.5], stop_reason="completed")

        call = types.SimpleNamespace(prompt_ids=[1], chain="main", grammar=types.SimpleNamespace(tag="{}"), sampled=lambda *_, **__: {})
        for on_cpu in (True, False):
            loop = types.SimpleNamespace(seeded=False, on_cpu=on_cpu, settings={}, server_manager=Manager())
            e = episode(loop=loop, sampling={}, id="e", ledger=types.SimpleNamespace(extend=lambda _: call))
            try:
                await e.generate({"sampling": {}, "tools": [], "seed": "1"})
            except GenerateError as error:
                self.assertIn('refused: decoding constraints need device = "cpu"', str(error))
        self.assertEqual(seen, [("{}", [99])])


if __name__ == "__main__":
    unittest.main()
