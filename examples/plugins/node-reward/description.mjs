// What the plugin is: awhost.v1.DescribeResponse in protobuf's JSON mapping. `describe` prints it, the RPC Describe answers it.

/** @param {unknown} value @returns {string} a field of type bytes that holds JSON, as the JSON mapping writes it */
const json = (value) => Buffer.from(JSON.stringify(value)).toString("base64");

export const description = {
  name: "shape",
  version: "1.0.0",
  protocolVersions: [1],
  components: [
    {
      kind: "COMPONENT_KIND_REWARD",
      type: "shape",
      description: "1 when the answer has the shape that was asked for: a JSON Schema, a regular expression, or both.",
      schema: {
        attributes: [
          {
            name: "json_schema",
            type: '"dynamic"',
            description: "JSON Schema (draft 2020-12) that the answer, parsed as JSON, has to satisfy.",
            exampleJson: json({ type: "object", required: ["city"], properties: { city: { type: "string" } } }),
          },
          {
            name: "pattern",
            type: '"string"',
            description: "Regular expression (RE2 syntax) that the whole text has to match.",
            exampleJson: json("[A-D]"),
          },
          {
            name: "tag",
            type: '"string"',
            description: "Judge the text between <TAG> and </TAG>, of which there has to be exactly one; without it the whole answer.",
            exampleJson: json("answer"),
          },
          {
            name: "max_bytes",
            type: '"number"',
            defaultJson: json(65536),
            minimum: 1,
            maximum: 1048576,
            unit: "bytes",
            description: "A longer answer scores 0 unread, so that nobody can make judging expensive.",
          },
        ],
      },
      rewardComponents: ["found", "json", "schema", "pattern"],
      reward: { batchSize: "64" },
    },
  ],
  sdk: "none/1.0.0",
};
