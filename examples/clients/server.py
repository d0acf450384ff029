"""The tools as an MCP server, which AWorld's agents start themselves."""

from mcp.server.fastmcp import FastMCP

import tools

server = FastMCP("calculator", log_level="ERROR")
for tool in tools.ALL:
    server.add_tool(tool)

if __name__ == "__main__":
    server.run("stdio")
