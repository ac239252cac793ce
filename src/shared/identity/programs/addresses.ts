/** Where programs speak MCP, and where a person is asked whether one may. */
export const MCP_PATH = '/mcp'
export const CONSENT_PATH = '/connect'
