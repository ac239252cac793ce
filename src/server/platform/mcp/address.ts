/** The account of a person at a server of the web (OAuth 2). */
export type McpAccount = {
  token: () => Promise<string>
  /** Gets another token after one was refused. @throws AppError */
  renew: () => Promise<void>
}

/** Where an MCP server is: an address of the web, or a program of this machine. */
export type McpAddress =
  | {
      kind: 'http'
      url: string
      headers: Record<string, string>
      /** Whose token goes along; null where none does. */
      account: McpAccount | null
    }
  | {
      kind: 'stdio'
      command: string
      args: readonly string[]
      env: Record<string, string>
    }

/** A server as it is connected to. */
export type McpServer = {
  /** The same as long as one may go on with connections that were made before. */
  id: string
  /** As people call it, for what is said of it. */
  name: string
  address: McpAddress
}
