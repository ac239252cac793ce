import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, Notice, record, text, trimmed } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { ServerClaim, ServerNews } from '../tools/server-claim.ts'

/** Address of an MCP server. A command runs on the machine of this installation, so only super admins can set one. */
export const ServerAddress = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('http'), url: trimmed(1, 2_000) }),
  z.object({
    kind: z.literal('stdio'),
    command: trimmed(1, 500),
    args: z._default(z.array(text(0, 2_000)).check(z.maxLength(50)), []),
  }),
])
export type ServerAddress = z.infer<typeof ServerAddress>

/** Maximum characters of all secrets together. Every answer is searched for them. */
const MAX_SECRETS_CHARACTERS = 20_000
/** Headers of every request, or environment variables of a command. Encrypted, never returned. */
const ServerSecrets = record(20, z.string().check(atMost(10_000))).check(
  z.refine((secrets) => Object.values(secrets).join('').length <= MAX_SECRETS_CHARACTERS, {
    error: `have more than ${MAX_SECRETS_CHARACTERS.toLocaleString('en')} characters together`,
  }),
)

/** Bounds of the time limit of a call, in seconds. */
export const MIN_LIMIT_SECONDS = 5
export const MAX_LIMIT_SECONDS = 3_600
export const DEFAULT_LIMIT_SECONDS = 300

const fields = {
  name: label(1, 100),
  address: ServerAddress,
  secrets: ServerSecrets,
  /** Companies whose members may use its tools; only their administrators can share with them. */
  companies: z.array(Id).check(z.maxLength(50)),
  /** OAuth client of Atrium at the service, for services without dynamic registration. */
  client: z.object({
    id: trimmed(1, 500),
    secret: z._default(z.nullable(text(1, 10_000)), null),
  }),
  /** Time limit of a call, whatever form the server answers in. Waiting for a person does not count. */
  limit_seconds: z.int().check(z.minimum(MIN_LIMIT_SECONDS), z.maximum(MAX_LIMIT_SECONDS)),
}
export const NewMcpServer = z.object({
  ...fields,
  secrets: z.optional(fields.secrets),
  companies: z.optional(fields.companies),
  client: z.optional(fields.client),
  limit_seconds: z.optional(fields.limit_seconds),
})
export type NewMcpServer = z.infer<typeof NewMcpServer>

/** Omitted fields stay unchanged; given secrets replace all previous ones. */
export const McpServerChanges = z.partial(z.object(fields))
export type McpServerChanges = z.infer<typeof McpServerChanges>

export const ServerPrompt = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  /** False when the server no longer offers it. */
  is_there: z._default(z.boolean(), true),
})
export type ServerPrompt = z.infer<typeof ServerPrompt>

export const ServerResource = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  media_type: z.nullable(z.string()),
  /** True when its address has placeholders in braces. */
  template: z.boolean(),
  /** False when the server no longer offers it. */
  is_there: z._default(z.boolean(), true),
})
export type ServerResource = z.infer<typeof ServerResource>

/** Information that a server reports about itself. */
export const ServerFacts = z.object({
  name: z.string(),
  version: z.string(),
  protocol: z.string(),
  offers: z.array(z.string()),
  instructions: z.string(),
  /** Duplicate names; only the first tool, prompt or resource of each is used. */
  twins: z.optional(z.array(z.string())),
  /** Omitted tools with the reason; the name is empty if the tool has none. */
  refused: z.optional(
    z.array(z.object({ name: z.string(), why: z.enum(['name', 'inputs', 'large', 'many']) })),
  ),
})
export type ServerFacts = z.infer<typeof ServerFacts>

export const ServerTool = z.object({
  id: z.string(),
  /** Name on the server. */
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** True when the server claims that the tool only reads. */
  reads: z.boolean(),
  /** The server's full claim about the tool's effects. */
  claim: ServerClaim,
  /** Incremented with every change of the server's description. */
  version: z.int(),
  /** False when the server no longer offers it. */
  is_there: z.boolean(),
  /** False when its owner switched it off: models do not see it, and it cannot be called. */
  is_on: z.boolean(),
  /** Reason it waits for a decision of the owner; null when decided. */
  news: z.nullable(ServerNews),
  /** The owner’s decision; without one it asks before each call. */
  policy: z.nullable(ToolPolicy),
  /** Effective policy for the caller. */
  runs: ToolPolicy,
})
export type ServerTool = z.infer<typeof ServerTool>

const summary = {
  id: Id,
  name: z.string(),
  kind: z.enum(['http', 'stdio']),
  own: z.boolean(),
  /** Person who shared it with the caller; null for own servers. */
  shared_by: z.nullable(z.string()),
  /** Reason the last request failed; null when the server answered. */
  error: z.nullable(z.string()),
  listed_at: z.string(),
  /** False until the server has listed its tools, which may require the owner to sign in. */
  is_known: z.boolean(),
}
export const McpServerSummary = z.object({ ...summary, tools: z.int() })
export type McpServerSummary = z.infer<typeof McpServerSummary>

export const McpServer = z.object({
  ...summary,
  /** Null for people it is shared with. */
  address: z.nullable(ServerAddress),
  /** Names of stored secrets. */
  secrets: z.array(z.object({ name: z.string(), updated_at: z.string() })),
  companies: z.array(Id),
  /** True when each person connects their own account (`/tool-sets/:toolSetId/account`). */
  oauth: z.boolean(),
  /** Manually entered client id; null when there is none, and for people it is shared with. */
  client_id: z.nullable(z.string()),
  /** Time limit of a call, in seconds. */
  limit_seconds: z.int(),
  server: ServerFacts,
  tools: z.array(ServerTool),
  prompts: z.array(ServerPrompt),
  resources: z.array(ServerResource),
  /** Number of items left out because there are too many or they are too large. */
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

/** Server types that a person may connect: by address, or as a command on this machine. */
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
  /** `reconnect`: opens a new connection instead of using an existing one. */
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

/** The owner's decision on a tool; omitted fields stay unchanged. `version`: the version it was made for. */
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

/** A part of a resource or a message: text in full, other content by type and size. */
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
