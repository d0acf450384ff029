environment "mcp" "files" {
  deny      = ["files/write_file"]
  max_turns = 10

  server "files" {
    command = ["npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "{{session.dir}}"]
  }
}
