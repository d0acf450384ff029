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


def policy(endpoint):
    return AgentConfig(
        llm_provider="openai", llm_model_name="policy", llm_base_url=endpoint.base_url, llm_api_key=endpoint.api_key)


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


async def served_swarm(prompt, endpoint, base_url, model, api_key="none"):
    """The one in the middle is the policy. A served model plans and sums up, and is not trained."""
    served = AgentConfig(
        llm_provider="openai", llm_model_name=model, llm_base_url=base_url, llm_api_key=api_key)
    plan = Agent(name="plan", conf=served, system_prompt="Say in one line what is to be computed.")
    exe = Agent(name="exe", conf=policy(endpoint), mcp_config=CALCULATOR, mcp_servers=["calculator"])
    summary = Agent(name="sum", conf=served, system_prompt="Repeat the answer.")
    response = await Runners.run(input=prompt, swarm=Swarm(plan, exe, summary))
    return {"answer": response.answer, "metrics": {"asked": len(response.trajectory) - 2}}
