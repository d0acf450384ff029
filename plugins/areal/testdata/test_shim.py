"""The parts of the shim that need torch and no AReaL worker. Run by shim_test.go in AReaL's own Python."""

import asyncio
import dataclasses
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

import torch

from awhost_areal.consumption import Consumption
from awhost_areal.cpu import packed_attention
from awhost_areal.group import Group, Sample
from awhost_areal.order import TrainRows
from awhost_areal.request import Settings, episode_request
from awhost_areal.rows import tensors
from awhost_areal.script import FIRST_NAME, sampling
from awhost_areal.worker import report_lost, trains

sys.path.insert(0, "standin")
from sglang.sampler import Request, sample  # noqa: E402
from sglang.server import _words  # noqa: E402


def row(**columns):
    full = dict(ids=[5, 6, 7, 8], loss_mask=[0, 1, 0, 1], logprobs=[0.0, -0.5, 0.0, -0.25], versions=[-1, 3, -1, 4])
    return types.SimpleNamespace(**{**full, **columns})


def settle(samples, keep_size):
    async def run():
        group = Group(len(samples), keep_size)
        return await asyncio.gather(*(group.settle(i, s) for i, s in enumerate(samples)))

    return asyncio.run(run())


class Rows(unittest.TestCase):
    def test_each_column_stands_where_its_token_does(self):
        out = tensors(row())
        self.assertEqual(out["input_ids"].tolist(), [[5, 6, 7, 8]])
        self.assertEqual(out["loss_mask"].tolist(), [[0, 1, 0, 1]])
        self.assertEqual(out["logprobs"].tolist(), [[0.0, -0.5, 0.0, -0.25]])
        self.assertEqual(out["versions"].tolist(), [[-1, 3, -1, 4]])
        self.assertEqual(out["attention_mask"].tolist(), [[True] * 4])
        self.assertEqual([out[k].dtype for k in ("input_ids", "loss_mask", "logprobs", "attention_mask")], [torch.int32, torch.int32, torch.float32, torch.bool])

    def test_columns_of_different_lengths_are_no_row(self):
        with self.assertRaises(ValueError):
            tensors(row(logprobs=[0.0]))


class Groups(unittest.TestCase):
    def scored(self, reward):
        return Sample(tensors(row()), reward)

    def test_a_sample_without_a_number_keeps_its_row_and_the_baseline(self):
        out = settle([self.scored(1.0), Sample(tensors(row()), None), self.scored(0.0)], keep_size=True)
        self.assertEqual([r["rewards"].tolist() for r in out], [[1.0], [0.5], [0.0]])
        self.assertEqual([int(r["loss_mask"].sum()) for r in out], [2, 0, 2])

    def test_one_without_a_row_gets_a_siblings_untrained(self):
        out = settle([self.scored(1.0), Sample()], keep_size=True)
        self.assertEqual(int(out[1]["loss_mask"].sum()), 0)
        self.assertEqual(set(out[0]), set(out[1]))

    def test_a_dropped_sample_leaves_where_areal_allows_it(self):
        samples = [self.scored(1.0), Sample(tensors(row()), None, drop_sample=True)]
        self.assertIsNone(settle(samples, keep_size=False)[1])
        self.assertIsNotNone(settle(samples, keep_size=True)[1])

    def test_nothing_is_left_of_a_group_without_numbers_or_of_one_to_drop(self):
        self.assertEqual(settle([Sample(), Sample(tensors(row()), None)], keep_size=True), [None, None])
        dropped = Sample(tensors(row()), None, drop_sample=True)  # the host marks all samples of the group
        self.assertEqual(settle([dropped, dropped], keep_size=True), [None, None])


class Order(unittest.TestCase):
    def test_no_position_comes_twice_when_the_loader_starts_over(self):
        rows = TrainRows(2, 10)
        self.assertEqual([rows[i]["awhost_index"] for i in (0, 1, 0, 1)], [10, 11, 12, 13])


def result(**members):
    full = dict(episode_id="e", outcome="scored", reward=1.0, masked=False, drop_group=False, num_turns=1, failure=None,
                chains=[types.SimpleNamespace(chain="c", agent="", train=True, reward=None)])
    return types.SimpleNamespace(**{**full, **members})


class Requests(unittest.TestCase):
    """AReaL counts updates from where a launch began, which may be behind steps of the stage and behind other stages."""

    def test_steps_and_versions_are_in_the_hosts_count(self):
        names = {f.name: 0 for f in dataclasses.fields(Settings)}
        settings = Settings(**{**names, "launch_id": "l", "stage": "main", "steps_before": 12, "samples": 4, "validation_samples": 1})
        train, check = (episode_request(settings, {"awhost_index": 7}, 2, 3, validation) for validation in (False, True))
        self.assertEqual((train["step"], train["policy_version"], train["episode_id"]), (16, 15, "l/d0000007/s002"))
        self.assertEqual((check["step"], check["policy_version"], check["episode_id"]), (15, 15, "l/v000015.000007/s002"))


class Tokens(unittest.TestCase):
    """What a sample tells of its tokens, where the adapter wants them."""

    def told(self, scored=True, **metrics):
        from awhost_areal import workflow

        said = []

        class Bridge:
            draining = False

            async def run_episode(self, *_, **__):
                return result(metrics=metrics)

            async def event(self, body):
                said.append(body)

        class Episode:
            def __init__(self, *_):
                self.ledger = types.SimpleNamespace(main_row=lambda _: (row(chain="e/a1/c1"), 0))
                self.policy = types.SimpleNamespace(template=types.SimpleNamespace(decode=str))
                self.generate = self.restart = None

            def outcome(self, _):
                return Sample(tensors(row()), 1.0 if scored else None), ""

        one = object.__new__(workflow.AwhostWorkflow)
        one.settings = None
        request = {"episode_id": "e"}
        with mock.patch.multiple(
            workflow, connect=mock.AsyncMock(return_value=Bridge()), Episode=Episode, episode_request=lambda *_: request,
        ):
            asyncio.run(one._sample(mock.Mock(), {}, 0, False))
        return said

    def test_rows_are_told_where_they_are_wanted_and_trained(self):
        self.assertEqual(self.told(), [])
        self.assertEqual(self.told(scored=False, **{"awhost/tokens": 1.0}), [])
        (event,) = self.told(**{"awhost/tokens": 1.0})
        (told,) = event["tokens"]["rows"]
        self.assertEqual((told["episode_id"], told["chain"], told["ids"]), ("e", "e/a1/c1", [5, 6, 7, 8]))
        self.assertEqual(told["trained"], [False, True, False, True])
        self.assertEqual(told["sampler_logprobs"], ["NaN", -0.5, "NaN", -0.25])


class Lost(unittest.TestCase):
    """Episodes that have a result and cannot be used."""

    class Bridge:
        def __init__(self):
            self.said = []

        async def event(self, body):
            self.said.append(body)

        async def flush(self):
            self.said.append("flushed")

    def test_the_adapter_hears_why_before_areal_goes_on(self):
        bridge = self.Bridge()
        asyncio.run(report_lost(bridge, "l/d1/s0", "KeyError: x"))
        self.assertEqual(bridge.said[0]["log"], {"level": "warn", "message": "episode l/d1/s0 cannot be used: KeyError: x"})
        self.assertEqual(bridge.said[1:], [{"consumed": {"episodes": [{"episode_id": "l/d1/s0", "use": "USE_LOST"}]}}, "flushed"])

    def test_only_what_the_adapter_counts_as_trained_can_be_lost(self):
        self.assertTrue(trains(result()))
        for other in (dict(reward=None), dict(masked=True), dict(drop_group=True), dict(outcome="dropped"), dict(chains=[])):
            self.assertFalse(trains(result(**other)), other)

    def test_workflow_mode(self):
        from awhost_areal.workflow import Episode

        episode = Episode.__new__(Episode)
        episode.id = "e"
        for ledger, wanted in (
            (lambda _: (_ for _ in ()).throw(KeyError("x")), "KeyError: 'x'"),
            (lambda _: (None, 0), "no sampled token"),
        ):
            episode.ledger = types.SimpleNamespace(main_row=ledger)
            sample, why = episode.outcome(result())
            self.assertIn(wanted, why)
            self.assertFalse(sample.scored)
            self.assertEqual(episode.outcome(result(masked=True))[1], "", "the host has masked it: it is no loss")
        episode.ledger = types.SimpleNamespace(main_row=lambda _: (row(), 0))
        sample, why = episode.outcome(result())
        self.assertTrue(sample.scored)
        self.assertEqual(why, "")

    def test_agent_mode(self):
        from awhost_areal.agent import Chain, EpisodeRejected, Session

        settings = types.SimpleNamespace(scripts="", gconfig={}, eval_gconfig={}, keep_group_size=False)
        session = Session(settings, None, "http://proxy", "key", False)
        chain = Chain([])
        chain.ids = ["a", "b"]
        session._chains = {"c": chain}
        self.assertEqual(session.reward(result()), 1.0)
        own = result()
        own.chains[0].reward = 0.5
        with self.assertRaisesRegex(EpisodeRejected, "rewards of their own"):
            session.reward(own)
        session.restart()
        with self.assertRaisesRegex(EpisodeRejected, "restarted in the middle"):
            session.reward(result())

    def test_agent_mode_gives_up_what_the_proxy_would_train_twice(self):
        from awhost_areal.agent import Chain, EpisodeRejected, Session
        from awhost_bridge import GenerateError

        def session(validation=False, **settings):
            settings = {"scripts": "", "gconfig": {}, "eval_gconfig": {}, "keep_group_size": False, **settings}
            out = Session(types.SimpleNamespace(**settings), None, "http://proxy", "key", validation)
            chain = Chain([])
            chain.ids, chain.messages, chain.ends = ["a", "b"], [{}] * 4, [2, 4]
            out._chains = {"c": chain}
            return out

        def request(**members):
            return {"attempt": 1, "trainable": True, "chain": "c", "base": 4, **members}

        for members in ({}, {"base": 1}, {"chain": "", "base": 0}):
            session()._admit(request(**members))
        for members, why in (({"base": 3}, "forks"), ({"trainable": False}, "trained"), ({"attempt": 2}, "again")):
            spoiled = session()
            with self.assertRaisesRegex(GenerateError, why):
                spoiled._admit(request(**members))
            with self.assertRaises(EpisodeRejected):
                spoiled.reward(result())

        # Before 2.0 each further row of an episode shifts those that samples are compared with.
        another = request(chain="", base=0)
        with self.assertRaisesRegex(GenerateError, "several conversations"):
            session(keep_group_size=True)._admit(another)
        session(keep_group_size=True)._admit(request())
        session(keep_group_size=True, validation=True)._admit(another)


class Watching(unittest.TestCase):
    def test_the_positions_of_a_batch_are_those_of_its_tasks(self):
        results = [types.SimpleNamespace(task_id=2), None, types.SimpleNamespace(task_id=0)]
        dispatcher = types.SimpleNamespace(submit_task_input=lambda task: None, active_submit_and_wait=lambda *_, **__: results)
        watched = Consumption(dispatcher)
        for task_id in range(3):
            dispatcher.submit_task_input(types.SimpleNamespace(task_id=task_id, data={"awhost_index": 100 + task_id}))
        dispatcher.active_submit_and_wait(None, batch_size=2)
        self.assertEqual(watched.take(), [100, 102])
        self.assertEqual(watched.take(), [])


class Attention(unittest.TestCase):
    def test_packed_rows_do_not_see_one_another(self):
        torch.manual_seed(0)
        query, key, value = torch.randn(1, 4, 9, 8), torch.randn(1, 2, 9, 8), torch.randn(1, 2, 9, 8)
        module = types.SimpleNamespace(num_key_value_groups=2)
        packed, _ = packed_attention(module, query, key, value, None, scaling=0.3, cu_seq_lens_q=torch.tensor([0, 4, 7]))
        alone = [
            torch.nn.functional.scaled_dot_product_attention(
                query[:, :, a:b], key[:, :, a:b].repeat_interleave(2, 1), value[:, :, a:b].repeat_interleave(2, 1), is_causal=True, scale=0.3
            ).transpose(1, 2)
            for a, b in ((0, 4), (4, 7), (7, 9))
        ]
        # Kernels round differently for other shapes and processors; a row that saw another would be off by tenths.
        torch.testing.assert_close(packed, torch.cat(alone, 1), rtol=1e-5, atol=1e-6)
        together, _ = packed_attention(module, query, key, value, None, scaling=0.3, cu_seq_lens_q=torch.tensor([0]))
        self.assertGreater((together - packed).abs().max().item(), 0.01)


class Script(unittest.TestCase):
    """From the worker to the stand-in for SGLang."""

    def template(self, ids):
        return types.SimpleNamespace(write=lambda message, tools: list(ids))

    def test_ids_arrive_by_the_number_that_areal_hands_on(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = sampling(folder, self.template([5, 6, 7, 2]), {"scripted": {}, "tools": []}, 3)
            self.assertEqual(asked["max_new_tokens"], 3)
            os.environ["AWHOST_AREAL_SCRIPTS"] = folder
            self.assertEqual(_words(json.loads(json.dumps(asked))), [5, 6, 7])
            self.assertIsNone(_words({"frequency_penalty": 0.5}))
            del os.environ["AWHOST_AREAL_SCRIPTS"]
            self.assertIsNone(_words(asked))

    def test_other_messages_are_short(self):
        self.assertEqual(sampling("", None, {"scripted": None}, 4000), {"max_new_tokens": 64})
        self.assertEqual(sampling("", None, {"scripted": None}, 30), {"max_new_tokens": 30})

    def test_a_penalty_is_no_name(self):
        self.assertGreater(FIRST_NAME, 2)

    def test_words_are_said_with_the_policys_log_probabilities(self):
        torch.manual_seed(0)
        table = torch.randn(10, 10)  # the next id follows from the last one alone

        def model(input_ids, logits_to_keep):
            return types.SimpleNamespace(logits=table[input_ids][:, -logits_to_keep:])

        request = Request([1, 3], 8, 0.7, 1.0, 0, frozenset([2]), [4, 9, 2])
        cut = Request([1, 3], 2, 1.0, 1.0, 0, frozenset([2]), [4, 9, 2])
        sample(model, [request, cut], 0, torch.Generator(), lambda: False)
        self.assertEqual((request.ids, request.finish["type"]), ([4, 9, 2], "stop"))
        wanted = [float(torch.log_softmax(table[a] / 0.7, -1)[b]) for a, b in ((3, 4), (4, 9), (9, 2))]
        for got, want in zip(request.logprobs, wanted, strict=True):
            self.assertAlmostEqual(got, want, places=6)
        self.assertEqual((cut.ids, cut.finish["type"]), ([4, 9], "length"))


unittest.main()
