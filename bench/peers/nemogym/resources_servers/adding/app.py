"""The tool and the reward, as NeMo Gym's resources server."""

import os

import task
from fastapi import FastAPI
from nemo_gym.base_resources_server import BaseVerifyRequest, BaseVerifyResponse, SimpleResourcesServer
from pydantic import BaseModel


class Numbers(BaseModel):
    """A call of the tool."""

    a: int
    b: int


class Sum(BaseModel):
    """The tool's result."""

    result: str


class Answer(BaseVerifyRequest):
    """An episode to score."""

    number: int = 0


class Adding(SimpleResourcesServer):
    """A desk with a tool that adds."""

    ray_enabled = False

    def setup_webserver(self) -> FastAPI:
        """Adds the tool's route."""
        app = super().setup_webserver()
        app.post("/add")(self.add)
        return app

    async def add(self, body: Numbers) -> Sum:
        """Runs the tool."""
        return Sum(result=task.add(body.a, body.b))

    async def verify(self, body: Answer) -> BaseVerifyResponse:
        """Returns 1 for the correct answer."""
        if "RAISE" in os.environ and body.number % 20 == 7:
            raise RuntimeError("the reward raises on purpose")
        text = "".join(c.text for o in body.response.output if o.type == "message" for c in o.content)
        return BaseVerifyResponse(**body.model_dump(), reward=task.score(body.number, text))


if __name__ == "__main__":
    Adding.run_webserver()
