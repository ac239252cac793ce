/** The OAuth 2 account of a user at a remote MCP server. */
export type McpAccount = {
  token: () => Promise<string>
  /** Gets a new token after the server refused one. @throws AppError */
  renew: () => Promise<void>
}

/** Address of an MCP server: a URL, or a program on this machine. */
export type McpAddress =
  | {
      kind: 'http'
      url: string
      headers: Record<string, string>
      /** The account whose token is sent; null if none is. */
      account: McpAccount | null
    }
  | {
      kind: 'stdio'
      command: string
      args: readonly string[]
      env: Record<string, string>
    }

/** A server with everything needed to connect. */
export type McpServer = {
  /** Changes when existing connections must no longer be used. */
  id: string
  /** Display name, for messages. */
  name: string
  address: McpAddress
}
