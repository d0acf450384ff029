"""Says what an environment holds, and fails where it holds something else than its list or does not work.

    VENV/bin/python .ci/frameworks/check.py .ci/frameworks/verl-0.9.1.txt
"""

import contextlib
import datetime
import importlib.metadata
import os
import platform
import re
import resource
import sys
import tempfile
import time

# Nothing here may reach for a GPU or for the network.
os.environ.update(CUDA_VISIBLE_DEVICES="", HF_HUB_OFFLINE="1", LITELLM_LOCAL_MODEL_COST_MAP="True", OMP_NUM_THREADS="1")


@contextlib.contextmanager
def quiet_stdout():
    """Sends to stderr what the frameworks and the C++ below them write to stdout while they are imported."""
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(path):
    with open(path) as f:
        lines = (line.partition("#")[0].strip() for line in f)
        return dict((canonical(name), version) for name, version in (line.split("==") for line in lines if line))


def check_versions(path, framework):
    """The environment holds the list's distributions and no other: what pip would add later is not the tested set."""
    wanted = listed(path)
    found = {canonical(d.metadata["Name"]): d.version for d in importlib.metadata.distributions()}
    extra = found.keys() - wanted.keys() - {"pip", framework}
    wrong = {name for name in wanted if found.get(name) != wanted[name]}
    if extra or wrong:
        sys.exit(
            "\n".join(
                [f"{path} and the environment differ; remove the environment's folder {sys.prefix} to make it anew:"]
                + [f"  {name}: listed {wanted.get(name)}, installed {found.get(name)}" for name in sorted(extra | wrong)]
            )
        )


def check_torch():
    import torch
    import torch.distributed

    weight = torch.ones(2, requires_grad=True)
    (weight @ torch.ones(2)).backward()
    assert weight.grad.tolist() == [1.0, 1.0], weight.grad
    assert not torch.cuda.is_available()
    try:
        torch.zeros(1, device="cuda")
    except (RuntimeError, AssertionError):
        pass  # an exception, and no abort: the stand-ins for CUDA's libraries leave C++ exceptions alone
    else:
        sys.exit("torch made a tensor on a GPU although it must not see one")
    with tempfile.TemporaryDirectory() as folder:
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{folder}/store", rank=0, world_size=1, timeout=datetime.timedelta(seconds=30)
        )
        ones = torch.ones(3)
        torch.distributed.all_reduce(ones)
        assert ones.tolist() == [1.0, 1.0, 1.0], ones
        torch.distributed.destroy_process_group()
    return f"torch {torch.__version__}: backward and a gloo group of one work"


def check_verl():
    import hydra
    import verl
    import verl.experimental.agent_loop.agent_loop
    import verl.trainer.main_ppo

    folder = os.path.join(os.path.dirname(verl.__file__), "trainer", "config")
    with hydra.initialize_config_dir(folder, version_base=None):
        config = hydra.compose("ppo_trainer", overrides=["actor_rollout_ref.rollout.agent.agent_loop_config_path=loops.yaml"])
    assert config.actor_rollout_ref.rollout.agent.agent_loop_config_path == "loops.yaml"
    return f"verl {verl.__version__}: the trainer and the agent loop import, ppo_trainer composes with {leaves(config)} leaves"


def check_areal():
    import areal.engine.fsdp_engine
    import areal.engine.sglang_remote
    import areal.experimental.openai.proxy.proxy_rollout_server
    from areal import PPOTrainer
    from areal.api.cli_args import GRPOConfig
    from areal.version import __version__
    from omegaconf import OmegaConf

    specs = [{"cpu": 1, "gpu": 0, "mem": 1}]  # the values that another omegaconf than the pinned one refuses
    config = OmegaConf.merge(OmegaConf.structured(GRPOConfig), {"actor": {"scheduling_spec": specs}})
    assert config.actor.scheduling_spec[0].gpu == 0
    return f"areal {__version__}: {PPOTrainer.__name__}, engines and proxy import, GRPOConfig composes with {leaves(config)} leaves"


def check_tinker():
    import tinker

    params = tinker.types.AdamParams(learning_rate=1e-3, grad_clip_norm=1.0)
    assert params.model_dump()["grad_clip_norm"] == 1.0 and tinker.ServiceClient.create_lora_training_client
    return f"tinker {tinker.__version__}: the client imports"


def check_trl():
    from peft import LoraConfig
    from trl import GRPOConfig, GRPOTrainer, __version__

    assert "rollout_func" in GRPOTrainer.__init__.__annotations__
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(folder, use_cpu=True, bf16=False, per_device_train_batch_size=8, num_generations=8)
    assert config.generation_batch_size == 8 and LoraConfig(r=4).r == 4
    return f"trl {__version__}: {GRPOTrainer.__name__} takes a rollout_func, GRPOConfig and LoraConfig compose"


def check_swift():
    from swift import __version__
    from swift.arguments import RLHFArguments
    from swift.callbacks import callbacks_map
    from swift.rewards import orms
    from swift.rlhf_trainers import GRPOTrainer
    from swift.rollout import multi_turns

    assert callbacks_map and orms and multi_turns
    return f"ms-swift {__version__}: {GRPOTrainer.__name__} imports, {RLHFArguments.__name__} and the registries are there"


def leaves(config):
    """How many values a configuration has; a list is one."""
    from omegaconf import DictConfig

    if not isinstance(config, DictConfig) or config._is_none() or config._is_missing():
        return 1
    return sum(leaves(config._get_node(key)) for key in config)


def main(path):
    name = os.path.basename(path).removesuffix(".txt")
    framework = name.partition("-")[0]
    checks = {"verl": check_verl, "areal": check_areal, "trl": check_trl, "swift": check_swift, "tinker": check_tinker}
    check = checks[framework]
    began = time.monotonic()
    check_versions(path, framework)
    with quiet_stdout():
        torch_works = check_torch()
        framework_works = check()
    others = ", ".join(f"{other} {importlib.metadata.version(other)}" for other in ("transformers", "ray", "numpy", "omegaconf") if other in listed(path))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name} on Python {platform.python_version()}: {len(listed(path))} distributions as listed; {others}")
    print(f"  {torch_works}")
    print(f"  {framework_works}")
    print(f"  {time.monotonic() - began:.0f} s, {memory} MB")


if __name__ == "__main__":
    main(sys.argv[1])
