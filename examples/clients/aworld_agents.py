"""AWorld's agents, each in one object, as AWorld's documentation builds them. New are base URL and key."""

import pathlib
import sys

from aworld.agents.llm_agent import Agent
from aworld.config.conf import AgentConfig
from aworld.core.agent.swarm import Swarm
from aworld.runner import Runners

CALCULATOR = {"mcpServers": {"calculator": {
    "type": "stdio", "command": sys.executable, "args": [str(pathlib.Path(__file__).with_name("server.py"))],
}}}


def config(endpoint, model, member=""):
    """The model that answers an agent, and under which member it is recorded."""
    key = f"{endpoint.api_key}.member.{member}" if member else endpoint.api_key
    return AgentConfig(llm_provider="openai", llm_model_name=model, llm_base_url=endpoint.base_url, llm_api_key=key)


def policy(endpoint):
    return config(endpoint, "policy")


def result(response):
    """The answer, and how often the policy was asked: AWorld's trajectory has a step for each message of a model."""
    return {"answer": response.answer, "metrics": {"asked": len(response.trajectory)}}


async def agent(prompt, endpoint):
    """An agent with MCP tools of its own."""
    calculator = Agent(name="calculator", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    return result(await Runners.run(input=prompt, agent=calculator))


async def swarm(prompt, endpoint):
    """Three agents that are the policy, one after the other: each conversation is trained."""
    plan = Agent(name="plan", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    exe = Agent(name="exe", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    summary = Agent(name="sum", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    return result(await Runners.run(input=prompt, swarm=Swarm(plan, exe, summary)))


async def served_swarm(prompt, endpoint):
    """The one in the middle is the policy. The served model "big" plans and sums up. It is recorded, not trained."""
    plan = Agent(name="plan", conf=config(endpoint, "big", "plan"),
                 system_prompt="Say in one line what is to be computed.")
    exe = Agent(name="exe", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    summary = Agent(name="sum", conf=config(endpoint, "big", "sum"), system_prompt="Repeat the answer.")
    return result(await Runners.run(input=prompt, swarm=Swarm(plan, exe, summary)))
