import {
  Client,
  type jsonSchemaValidator,
  type RequestOptions,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import type { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { McpServer } from './address.ts'
import { type AnswerWatch, createAnswerWatch } from './answer-watch.ts'
import { bounds, createMeter } from './bounds.ts'
import { erasOf, isOfEra } from './eras.ts'
import { explain } from './explain.ts'
import { type Loss, lossOf, Unfinished } from './lost.ts'
import { type Program, startProgram } from './program.ts'
import { reachWebServer } from './web-server.ts'

/** A question that a server asks a person during a call. */
export type Elicitation = { message: string; requestedSchema?: unknown; mode?: string; url?: string }
export type ElicitationAnswer = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}

/** A connection used by one piece of work at a time, so that a question of the server belongs to that work. */
export type Connection = {
  client: Client
  /** Answers the server's questions; null between two pieces of work. */
  answerer: ((asked: Elicitation) => Promise<ElicitationAnswer>) | null
  isOpen: () => boolean
  /** Converts an error of the client into one for people. */
  explain: (error: unknown) => unknown
  /** Returns how a failed request was lost; null if it was answered, and for a program. */
  lossOf: (error: unknown) => Loss | null
  close: () => Promise<void>
}

export type ConnectOptions = {
  outbound: Outbound
  /** Private addresses that an administrator has allowed. */
  trusted: readonly string[]
  /** Called when a list of the server has changed. */
  onChanged: () => void
  signal?: AbortSignal | undefined
}

/** @throws AppError `unavailable` with the cause; an abort unchanged */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  const [first, second] = erasOf(server.address)
  const attempt = await connectAs(first, server, options)
  if ('connection' in attempt) return attempt.connection
  if (!attempt.isOfEra) throw attempt.explained
  const other = await connectAs(second, server, options)
  if ('connection' in other) return other.connection
  throw first === 'legacy' ? attempt.explained : other.explained
}

type Attempt = { connection: Connection } | { explained: unknown; isOfEra: boolean }

/** @throws an abort unchanged */
async function connectAs(
  mode: VersionNegotiationMode,
  server: McpServer,
  options: ConnectOptions,
): Promise<Attempt> {
  const { signal } = options
  let refusal: AppError | null = null
  const refuse = (why: AppError) => {
    refusal ??= why
    void client.close()
  }
  const unfinished = `${server.name} ended its answer before it was complete.`
  const answers = createAnswerWatch(() => refuse(new Unfinished('unavailable', unfinished)))
  const client = createClient(mode)
  const transport = reach(server.address, options, { refuse, answers })
  const connection = watch({ server, client, transport, answers }, () => refusal)
  listen(connection, options)
  try {
    await client.connect(transport, { ...askOptions(signal), ...startOptions(server.address) })
    listenForChanges(connection)
    return { connection }
  } catch (error) {
    const explained = connection.explain(error)
    await connection.close()
    signal?.throwIfAborted()
    return { explained, isOfEra: refusal === null && isOfEra(error, mode) }
  }
}

type Hooks = { refuse: (why: AppError) => void; answers: AnswerWatch }

const reach = (
  address: McpServer['address'],
  { outbound, trusted }: ConnectOptions,
  { refuse, answers }: Hooks,
): Transport | Program =>
  address.kind === 'stdio'
    ? startProgram(address, refuse)
    : reachWebServer(address, { outbound, trusted, onRefused: refuse, watch: answers })

const createClient = (mode: VersionNegotiationMode): Client =>
  new Client(
    { name: 'Atrium', version: '1.0.0' },
    {
      capabilities: {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
      versionNegotiation: { mode, probe: { timeoutMs: bounds.probeMs } },
      jsonSchemaValidator: unchecked,
    },
  )

/** The server controls both schema and answer, so validating one against the other could take forever. */
const unchecked: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** The first start of a program may download packages. */
const startOptions = ({ kind }: McpServer['address']): RequestOptions =>
  kind === 'stdio' ? { timeout: bounds.startMs } : {}

/** Timeout of every request except tool calls. */
export const askOptions = (signal?: AbortSignal): RequestOptions => ({
  timeout: bounds.answerMs,
  ...(signal ? { signal } : {}),
})

type Parts = { server: McpServer; client: Client; transport: Transport | Program; answers: AnswerWatch }

function watch({ server, client, transport, answers }: Parts, refusal: () => AppError | null): Connection {
  let isOpen = true
  let isFlooding = false
  const program = 'endedBy' in transport ? transport : null
  const isConnected = () => client.getServerCapabilities() !== undefined
  const mayPass = createMeter()
  client.onclose = () => {
    isOpen = false
  }
  // Errors outside a call show up in the next one.
  client.onerror = () => undefined
  // A program counts its messages itself, before parsing them.
  if (server.address.kind === 'http')
    transport.onmessage = (message) => {
      answers.hear(message)
      if (isFlooding || mayPass()) return
      isFlooding = true
      void client.close()
    }
  return {
    ...{ client, answerer: null, isOpen: () => isOpen },
    explain: (error) =>
      refusal() ?? explain({ server, program, isFlooding, isConnected: isConnected() }, error),
    lossOf: (error) =>
      server.address.kind === 'http' && !isFlooding
        ? lossOf(refusal() ?? error, transport.sessionId !== undefined)
        : null,
    close: async () => {
      isOpen = false
      await client.close().catch(() => undefined)
      // A client that failed to connect does not close its transport.
      await transport.close().catch(() => undefined)
    },
  }
}

/** Since 2026-07-28 a server reports list changes only to subscribers. */
function listenForChanges({ client }: Connection): void {
  if (client.getProtocolEra() !== 'modern') return
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  }
  // Without it, changes are noticed when the list is next read.
  if (Object.keys(filter).length > 0) client.listen(filter, askOptions()).catch(() => undefined)
}

const lists = [
  ...(['notifications/tools/list_changed', 'notifications/prompts/list_changed'] as const),
  'notifications/resources/list_changed' as const,
]

function listen(connection: Connection, { onChanged }: ConnectOptions): void {
  const { client } = connection
  for (const list of lists) client.setNotificationHandler(list, onChanged)
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { answerer } = connection
    if (!answerer || ('mode' in params && params.mode === 'url')) return { action: 'decline' }
    return answerer(params as Elicitation)
  })
}
