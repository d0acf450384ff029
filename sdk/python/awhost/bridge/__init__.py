"""The adapter's side of the framework bridge (docs/reference/bridge.md). The workers of a training framework request episodes
over one TCP connection each, by awhost_bridge, and receive the requests for the messages of these episodes.

    class Mine(awhost.bridge.BridgeAdapter, type="mine", token_custody="shim", step_barrier=True):
        def plan(self, request): ...
        def trainer(self, request, folder): return awhost.bridge.Command([python, "train.py"], {…})

BridgeAdapter starts the trainer and implements train, generate and control; Server is the bridge alone. It needs
protobuf, but not gRPC.
"""

from .adapter import BridgeAdapter, Command
from .endpoint import Options
from .server import Handler, Server, Worker
from .stage import plan_knobs, plan_packages, plan_policy, stage_options, trainer_request

__all__ = [
    "BridgeAdapter", "Command", "Handler", "Options", "Server", "Worker", "plan_knobs", "plan_packages", "plan_policy",
    "stage_options", "trainer_request",
]
