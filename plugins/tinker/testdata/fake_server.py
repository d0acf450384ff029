"""A fake server of Tinker's API for tests. It answers the real client over HTTP, and learns: the model that it trains is
a small torch model. Unlike a real server it trains all weights instead of a LoRA adapter, keeps everything in memory,
and has one process.

    python fake_server.py MODEL KEY     prints its URL, and serves until its standard input ends

A test changes its behavior by POST /fake, with a JSON object: {"status": {"asample": 429}} answers requests with an
error, {"next": {"delete": [500]}} only the next ones, {"expire": true} drops all sessions, as a server does without heartbeats. GET /fake returns the updates of each
model and of each saved state, in the order in which they were trained.
"""

from __future__ import annotations

import copy
import hashlib
import http.server
import json
import pathlib
import sys
import threading
from typing import Any

import numpy as np
import torch
from awhost_bridge import Message
from awhost_bridge.hf import sample
from tinker.proto import tinker_public_pb2 as pb
from transformers import AutoModelForCausalLM

BASE = "fake/tiny"
CONTEXT = 256  # tokens
GATHER_SECONDS = 0.02  # time in which requests are gathered into a batch


class Failure(Exception):
    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Model:
    """A model in training. The weights have double precision, so that a sample does not depend on its batch."""

    def __init__(self, policy: torch.nn.Module) -> None:
        self.policy = copy.deepcopy(policy)
        self.optimizer = torch.optim.AdamW(self.policy.parameters())
        self.updates: list[str] = []  # digests of the rows
        self.pending = hashlib.sha256()

    def state(self) -> dict[str, Any]:
        return copy.deepcopy({"weights": self.policy.state_dict(), "optimizer": self.optimizer.state_dict(), "updates": self.updates})

    def backward(self, request: Any) -> Any:
        out, total, arrays = pb.ForwardBackwardOutput(), 0.0, []
        for datum in request.data:
            ids = np.concatenate([np.frombuffer(chunk.encoded_text.tokens, np.int32) for chunk in datum.model_input])
            of = {name: torch.from_numpy(_array(tensor)) for name, tensor in datum.loss_fn_inputs.items()}
            logits = self.policy(input_ids=torch.from_numpy(ids.astype(np.int64)).unsqueeze(0)).logits[0]
            logprobs = torch.log_softmax(logits, -1).gather(1, of["target_tokens"].unsqueeze(1))[:, 0]
            loss = _loss(request, logprobs, of["logprobs"].double(), of["advantages"].double())
            loss.backward()
            total += loss.item()
            arrays.append(logprobs.detach().float().numpy())
            for array in (ids, of["target_tokens"].numpy(), of["advantages"].numpy()):
                self.pending.update(np.ascontiguousarray(array).tobytes())
        out.loss_fn_output_type, out.metrics["loss:sum"] = "ArrayRecord", total
        field = out.loss_fn_outputs.add().fields["logprobs"]
        field.dtype, field.data = pb.DTYPE_FLOAT32, b"".join(a.tobytes() for a in arrays)
        field.offsets = np.cumsum([0, *(a.nbytes for a in arrays)], dtype=np.int64).tobytes()
        return out

    def step(self, adam: dict[str, Any]) -> dict[str, float]:
        parameters = list(self.policy.parameters())
        limit = adam["grad_clip_norm"] or float("inf")
        norm = float(torch.nn.utils.clip_grad_norm_(parameters, limit))
        for group in self.optimizer.param_groups:
            group.update(lr=adam["learning_rate"], betas=(adam["beta1"], adam["beta2"]), eps=adam["eps"], weight_decay=adam["weight_decay"])
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates.append(self.pending.hexdigest()[:16])
        self.pending = hashlib.sha256()
        return {"grad_norm": norm}


def _array(tensor: Any) -> np.ndarray:
    kind = {pb.DTYPE_FLOAT32: np.float32, pb.DTYPE_INT64: np.int64}[tensor.dtype]
    return np.frombuffer(tensor.dense, kind).copy()


def _loss(request: Any, logprobs: torch.Tensor, sampled: torch.Tensor, advantages: torch.Tensor) -> torch.Tensor:
    ratio = (logprobs - sampled).exp()
    if request.loss_fn == "importance_sampling":
        return -(ratio * advantages).sum()
    if request.loss_fn != "ppo":
        raise Failure(400, f"unknown loss_fn {request.loss_fn}")
    low, high = request.loss_fn_config["clip_low_threshold"], request.loss_fn_config["clip_high_threshold"]
    return -torch.minimum(ratio * advantages, ratio.clamp(low, high) * advantages).sum()


class Server:
    def __init__(self, model: str, key: str) -> None:
        self.policy = AutoModelForCausalLM.from_pretrained(model, attn_implementation="sdpa").double().eval()
        self.key, self.lock = key, threading.RLock()
        self.arrived = threading.Condition(self.lock)
        self.sessions: set[str] = set()
        self.models: dict[str, Model] = {}
        self.samplers: dict[str, torch.nn.Module] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.futures: dict[str, Any] = {}  # results by request, and prompts that are not sampled yet
        self.status: dict[str, int] = {}
        self.next: dict[str, list[int]] = {}
        self.count = 0
        threading.Thread(target=self._sample, daemon=True).start()

    def fake(self, change: dict[str, Any]) -> dict[str, Any]:
        self.status, self.next = change.get("status", self.status), change.get("next", self.next)
        if change.get("expire"):
            self.sessions.clear(), self.models.clear(), self.samplers.clear()
        return {"models": {name: model.updates for name, model in self.models.items()},
                "states": {uri: state["updates"] for uri, state in self.states.items()}}

    def call(self, name: str, body: Any) -> Any:
        """Answers a request; names are those of the API's paths."""
        if status := self.next[name].pop(0) if self.next.get(name) else self.status.get(name):
            raise Failure(status, f"the fake server answers {name} with {status}")
        handler = getattr(self, "on_" + name.replace("/", "_"), None)
        if handler is None:
            raise Failure(404, f"the fake server has no {name}")
        return handler(body)

    def on_delete(self, path: str) -> Any:
        """Deletes training_runs/ID/checkpoints/ID."""
        _, model, _, checkpoint = path.split("/", 3)
        if self.states.pop(f"tinker://{model}/{checkpoint}", None) is None:
            raise Failure(404, f"there is no {path}")

    def on_client_config(self, _: Any) -> Any:
        return {"use_pyqwest_transport": False}

    def on_get_server_capabilities(self, _: Any) -> Any:
        return {"supported_models": [{"model_name": BASE, "max_context_length": CONTEXT, "trainable": True}]}

    def on_create_session(self, _: Any) -> Any:
        self.sessions.add(name := self._name("session"))
        return {"type": "create_session", "session_id": name}

    def on_session_heartbeat(self, body: Any) -> Any:
        self._session(body["session_id"])
        return {"type": "session_heartbeat"}

    def on_telemetry(self, _: Any) -> Any:
        return {"status": "accepted"}

    def on_create_model(self, body: Any) -> Any:
        self._session(body["session_id"])
        if body["base_model"] != BASE:
            raise Failure(400, f"unknown base model {body['base_model']}")
        name = f"{body['session_id']}:train:{body['model_seq_id']}"
        self.models[name] = Model(self.policy)
        return self._done({"type": "create_model", "model_id": name})

    def on_get_info(self, body: Any) -> Any:
        self._model(body)
        data = {"model_name": BASE, "tokenizer_id": BASE}
        return {"type": "get_info", "model_id": body["model_id"], "model_data": data, "is_lora": True}

    def on_load_weights(self, body: Any) -> Any:
        self._session(body["session_id"])
        if body["path"] not in self.states:
            raise Failure(404, f"there is no {body['path']}")
        name, state = f"{body['session_id']}:train:{body['model_seq_id']}", copy.deepcopy(self.states[body["path"]])
        model = self.models[name] = Model(self.policy)
        model.policy.load_state_dict(state["weights"])
        model.updates = state["updates"]
        if body["optimizer"]:
            model.optimizer.load_state_dict(state["optimizer"])
        return self._done({"type": "load_weights", "path": body["path"]})

    def on_save_weights(self, body: Any) -> Any:
        uri = f"tinker://{body['model_id']}/weights/{body['path']}"
        self.states[uri] = self._model(body).state()
        return self._done({"type": "save_weights", "path": uri})

    def on_save_weights_for_sampler(self, body: Any) -> Any:
        name = self._name("sampler")
        self.samplers[name] = copy.deepcopy(self._model(body).policy).eval()
        return self._done({"type": "save_weights_for_sampler", "sampling_session_id": name})

    def on_forward_backward(self, body: bytes) -> Any:
        request = pb.ForwardBackwardRequest.FromString(body)
        return self._done(self._model({"model_id": request.model_id}).backward(request).SerializeToString())

    def on_optim_step(self, body: Any) -> Any:
        return self._done({"metrics": self._model(body).step(body["adam_params"])})

    def on_asample(self, body: Any) -> Any:
        if body["sampling_session_id"] not in self.samplers:
            raise Failure(404, "Sampling session not found")
        future = self._done(body)
        self.arrived.notify_all()
        return future | {"sample_sequence_ids": [future["request_id"] + "/0"]}

    def on_retrieve_future(self, body: Any) -> Any:
        name = body["request_id"]
        if name not in self.futures:
            raise Failure(410, f"Promise expired: {name}")
        if self.arrived.wait_for(lambda: not _unsampled(self.futures.get(name)), 20):
            return self.futures[name]
        return {"type": "try_again", "request_id": name, "queue_state": "active"}

    def _sample(self) -> None:
        """Samples what has arrived, in batches."""
        while True:
            with self.arrived:
                self.arrived.wait_for(lambda: any(map(_unsampled, self.futures.values())))
                self.arrived.wait(GATHER_SECONDS)
                waiting = {name: body for name, body in self.futures.items() if _unsampled(body)}
                for session in {body["sampling_session_id"] for body in waiting.values()}:
                    of = {name: body for name, body in waiting.items() if body["sampling_session_id"] == session}
                    self.futures |= zip(of, self._batch(self.samplers.get(session), list(of.values())))
                self.arrived.notify_all()

    def _batch(self, policy: Any, bodies: list[Any]) -> list[Any]:
        if policy is None:
            return [{"error": "the session has expired", "category": "user"} for _ in bodies]
        messages = []
        for slot, body in enumerate(bodies):
            p, prompt = body["sampling_params"], [i for chunk in body["prompt"]["chunks"] for i in chunk["tokens"]]
            messages.append(Message(prompt, p["max_tokens"], p["temperature"], p["top_p"], max(0, p["top_k"]), [], p["seed"], slot, str(slot)))
        sample(policy, messages, set(bodies[0]["sampling_params"]["stop"]), 0, lambda ids: "")
        return [_response(m) for m in messages]

    def _done(self, result: Any) -> Any:
        name = self._name("request")
        self.futures[name] = result
        return {"request_id": name}

    def _name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}-{self.count}"

    def _session(self, name: str) -> None:
        if name not in self.sessions:
            raise Failure(404, "Session not found")

    def _model(self, body: Any) -> Model:
        if body["model_id"] not in self.models:
            raise Failure(404, f"Model '{body['model_id']}' not found")
        return self.models[body["model_id"]]


def _unsampled(future: Any) -> bool:
    return isinstance(future, dict) and "sampling_params" in future


def _response(m: Message) -> bytes:
    out = pb.SampleResponse()
    reason = pb.STOP_REASON_STOP if m.finish == "stop" else pb.STOP_REASON_LENGTH
    out.sequences.add(stop_reason=reason, tokens=np.array(m.ids, np.int32).tobytes(), logprobs=np.array(m.logprobs, np.float32).tobytes())
    return out.SerializeToString()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        server, name = self.server_of, self.path.partition("?")[0].removeprefix("/api/v1/")
        try:
            if self.path != "/fake" and self.headers.get("X-API-Key") != server.key:
                raise Failure(401, "the key is not valid")
            if self.command == "DELETE":
                with server.lock:
                    return self._send(200, server.call("delete", name))
            read = body if "protobuf" in (self.headers.get("Content-Type") or "") else json.loads(body or b"{}")
            with server.lock:
                out = server.fake(read) if self.path == "/fake" else server.call(name, read)
            self._send(200, out)
        except Failure as e:
            self._send(e.status, {"detail": str(e)})

    do_GET = do_DELETE = do_POST

    def _send(self, status: int, out: Any) -> None:
        data = out if isinstance(out, bytes) else json.dumps(out).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-protobuf" if isinstance(out, bytes) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def main(model: str, key: str) -> None:
    torch.set_num_threads(1)
    Handler.server_of = Server(model, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1])), sys.argv[2])
