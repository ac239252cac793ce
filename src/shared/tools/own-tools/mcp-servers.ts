import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, Notice, record, text, trimmed } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { ServerClaim, ServerNews } from '../tools/server-claim.ts'

/** Where an MCP server is. A command runs on the machine of this installation: only super admins name one. */
export const ServerAddress = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('http'), url: trimmed(1, 2_000) }),
  z.object({
    kind: z.literal('stdio'),
    command: trimmed(1, 500),
    args: z._default(z.array(text(0, 2_000)).check(z.maxLength(50)), []),
  }),
])
export type ServerAddress = z.infer<typeof ServerAddress>

/** Headers that go with every request, or the environment of a command. Sealed, and never answered. */
const ServerSecrets = record(20, z.string().check(atMost(10_000)))

const fields = {
  name: label(1, 100),
  address: ServerAddress,
  secrets: ServerSecrets,
  /** Companies of the caller's whose people may use its tools; only their administrators share with them. */
  companies: z.array(Id).check(z.maxLength(50)),
  /** As whom Atrium is registered at the service where people sign in, where it lets nobody register by themselves. */
  client: z.object({
    id: trimmed(1, 500),
    secret: z._default(z.nullable(text(1, 10_000)), null),
  }),
}
export const NewMcpServer = z.object({
  ...fields,
  secrets: z.optional(fields.secrets),
  companies: z.optional(fields.companies),
  client: z.optional(fields.client),
})
export type NewMcpServer = z.infer<typeof NewMcpServer>

/** What is left out stays; secrets that are given are all there are from now on. */
export const McpServerChanges = z.partial(z.object(fields))
export type McpServerChanges = z.infer<typeof McpServerChanges>

export const ServerPrompt = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  /** False once the server no longer has it. */
  is_there: z._default(z.boolean(), true),
})
export type ServerPrompt = z.infer<typeof ServerPrompt>

export const ServerResource = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  media_type: z.nullable(z.string()),
  /** Its address has places to fill in, in braces. */
  template: z.boolean(),
  /** False once the server no longer has it. */
  is_there: z._default(z.boolean(), true),
})
export type ServerResource = z.infer<typeof ServerResource>

/** What a server said of itself. */
export const ServerFacts = z.object({
  name: z.string(),
  version: z.string(),
  protocol: z.string(),
  offers: z.array(z.string()),
  instructions: z.string(),
  /** Names it lists more than once: only the first tool, prompt or resource of each is used. */
  twins: z.optional(z.array(z.string())),
})
export type ServerFacts = z.infer<typeof ServerFacts>

export const ServerTool = z.object({
  id: z.string(),
  /** What the server calls it. */
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** The server claims that it changes nothing. */
  reads: z.boolean(),
  /** All it claims about its effects. */
  claim: ServerClaim,
  /** Grows with every change of what the server says of it. */
  version: z.int(),
  /** False once the server no longer has it. */
  is_there: z.boolean(),
  /** False while its owner has switched it off: no model is told of it, and nobody calls it. */
  is_on: z.boolean(),
  /** Why it waits for a decision of the owner; null once there is one. */
  news: z.nullable(ServerNews),
  /** The owner’s own decision; without one it asks before each call. */
  policy: z.nullable(ToolPolicy),
  /** When it runs for the caller. */
  runs: ToolPolicy,
})
export type ServerTool = z.infer<typeof ServerTool>

const summary = {
  id: Id,
  name: z.string(),
  kind: z.enum(['http', 'stdio']),
  own: z.boolean(),
  /** Why it could not be reached when it was last asked; null when it answered. */
  error: z.nullable(z.string()),
  listed_at: z.string(),
  /** False until it has said what it offers: its owner has to sign in first. */
  is_known: z.boolean(),
}
export const McpServerSummary = z.object({ ...summary, tools: z.int() })
export type McpServerSummary = z.infer<typeof McpServerSummary>

export const McpServer = z.object({
  ...summary,
  /** Null for those it is shared with. */
  address: z.nullable(ServerAddress),
  /** Names of what is sealed. */
  secrets: z.array(z.object({ name: z.string(), updated_at: z.string() })),
  companies: z.array(Id),
  /** Each person connects an account of their own (`/tool-sets/:toolSetId/account`). */
  oauth: z.boolean(),
  /** The client that was entered by hand; null for none, and for those it is shared with. */
  client_id: z.nullable(z.string()),
  server: ServerFacts,
  tools: z.array(ServerTool),
  prompts: z.array(ServerPrompt),
  resources: z.array(ServerResource),
  /** How many of what it offers are left out, because they are too many or too large. */
  left: z.int(),
})
export type McpServer = z.infer<typeof McpServer>

const Params = z.object({ toolSetId: Id })

export const listMcpServers = route({
  method: 'GET',
  path: '/mcp-servers',
  access: 'user',
  summary: 'The MCP servers the caller may use, newest first',
  pages: 1_000,
  answer: z.array(McpServerSummary),
})

/** Which servers a person may connect: by an address, or as a command of the machine this runs on. */
export const McpConnecting = z.object({ http: z.boolean(), stdio: z.boolean() })
export type McpConnecting = z.infer<typeof McpConnecting>

export const getMcpConnecting = route({
  method: 'GET',
  path: '/mcp-connecting',
  access: 'user',
  summary: 'Which MCP servers the caller may connect',
  answer: McpConnecting,
})

export const createMcpServer = route({
  method: 'POST',
  path: '/mcp-servers',
  access: 'user',
  uses: 'feature mcp_servers',
  fails: ['conflict', 'not_available', 'provider_failed'],
  summary: 'Connect an MCP server; what it offers is listed at once',
  status: 201,
  body: NewMcpServer,
  answer: McpServer,
})

export const getMcpServer = route({
  method: 'GET',
  path: '/mcp-servers/:toolSetId',
  access: 'user',
  fails: ['conflict'],
  may: 'read tool-set',
  summary: 'An MCP server with its tools, prompts and resources as they were last listed',
  params: Params,
  answer: McpServer,
})

export const updateMcpServer = route({
  method: 'PATCH',
  path: '/mcp-servers/:toolSetId',
  access: 'user',
  uses: 'feature mcp_servers',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'write tool-set',
  summary: 'Change how an MCP server is reached, what it is called, or who may use it',
  params: Params,
  body: McpServerChanges,
  answer: McpServer,
})

export const refreshMcpServer = route({
  method: 'POST',
  path: '/mcp-servers/:toolSetId/refresh',
  access: 'user',
  uses: 'feature mcp_servers',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'read tool-set',
  summary: 'Ask an MCP server anew what it offers',
  params: Params,
  /** `reconnect`: over a new connection, and none that stands. */
  query: z.object({ reconnect: z.optional(z.enum(['', 'true'])) }),
  answer: McpServer,
})

export const deleteMcpServer = route({
  method: 'DELETE',
  path: '/mcp-servers/:toolSetId',
  access: 'user',
  fails: ['conflict'],
  may: 'manage tool-set',
  summary: 'Forget an MCP server and its tools',
  params: Params,
  answer: Notice,
})

/** What an owner decides of a tool; what is left out stays. `version`: the one they have seen, for which leave is given. */
const Decision = z.object({
  policy: z.optional(ToolPolicy),
  is_on: z.optional(z.boolean()),
  version: z.optional(z.int()),
})
export type Decision = z.infer<typeof Decision>

export const decideServerTool = route({
  method: 'PUT',
  path: '/mcp-servers/:toolSetId/tools',
  access: 'user',
  fails: ['conflict'],
  may: 'write tool-set',
  summary:
    'Turn a tool of the server on or off for everybody, and decide when it runs unless somebody decided otherwise for themselves',
  params: Params,
  body: z.extend(Decision, { tool_id: text(1, 100) }),
  answer: McpServer,
})

export const decideReadingTools = route({
  method: 'PUT',
  path: '/mcp-servers/:toolSetId/reading-tools',
  access: 'user',
  fails: ['conflict'],
  may: 'write tool-set',
  summary:
    'Decide when those tools of the server run that claim to read only, as far as the caller has seen them',
  params: Params,
  body: z.object({
    policy: z.enum(['auto', 'ask']),
    tools: z.array(z.object({ tool_id: text(1, 100), version: z.int() })).check(atMost(1_000)),
  }),
  answer: McpServer,
})

/** A part of what a resource holds, or of a message: text as it is, anything else by what and how large it is. */
export const ServerText = z.object({
  text: z.nullable(z.string()),
  media_type: z.nullable(z.string()),
  bytes: z.int(),
})
export type ServerText = z.infer<typeof ServerText>

export const readServerResource = route({
  method: 'POST',
  path: '/mcp-servers/:toolSetId/resources',
  access: 'user',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'read tool-set',
  summary: 'Read a resource of an MCP server',
  params: Params,
  body: z.object({ uri: text(1, 2_000) }),
  answer: z.object({ parts: z.array(ServerText) }),
})

export const fillServerPrompt = route({
  method: 'POST',
  path: '/mcp-servers/:toolSetId/prompts',
  access: 'user',
  fails: ['conflict', 'not_available', 'provider_failed'],
  may: 'read tool-set',
  summary: 'Have a prompt of an MCP server written with inputs',
  params: Params,
  body: z.object({ name: text(1, 200), arguments: z._default(record(50, text(0, 10_000)), {}) }),
  answer: z.object({ messages: z.array(z.extend(ServerText, { role: z.enum(['user', 'assistant']) })) }),
})
