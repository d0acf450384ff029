"""The environment behind OpenEnv's server: one process, a session for each episode. server.py PORT SESSIONS"""

import sys

import uvicorn
from fastapi import FastAPI
from openenv.core.env_server import Action, Environment, HTTPEnvServer, Observation, State


class Add(Action):
    """A call of the tool."""

    a: int
    b: int


class Sum(Observation):
    """The tool's result."""

    result: str = ""


class Desk(Environment):
    """A desk with a tool that adds."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id="episode", step_count=0)

    def reset(self, seed=None, episode_id=None, **kwargs) -> Sum:
        """Starts an episode."""
        return Sum(done=False, reward=None)

    def step(self, action: Add, timeout_s=None, **kwargs) -> Sum:
        """Runs the tool."""
        return Sum(result=str(action.a + action.b), done=False, reward=None)

    @property
    def state(self) -> State:
        """Returns the state."""
        return self._state


app = FastAPI()
HTTPEnvServer(Desk, Add, Sum, max_concurrent_envs=int(sys.argv[2])).register_routes(app)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", backlog=4096)
