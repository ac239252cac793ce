/** Path of the MCP endpoint, and of the page on which a person allows a program. */
export const MCP_PATH = '/mcp'
export const CONSENT_PATH = '/connect'
