import {
  Client,
  type jsonSchemaValidator,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client'
import { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { McpServer } from './address.ts'
import { bounds, createMeter } from './bounds.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type Program, startProgram } from './program.ts'
import { reachWebServer } from './web-server.ts'

/** What a server asks a person in the middle of a call. */
export type Elicitation = { message: string; requestedSchema?: unknown; mode?: string; url?: string }
export type ElicitationAnswer = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}

/** A connection that one piece of work has for itself, so that what a server asks belongs to that work. */
export type Connection = {
  client: Client
  /** Who answers what the server asks; nobody between two pieces of work. */
  answerer: ((asked: Elicitation) => Promise<ElicitationAnswer>) | null
  isOpen: () => boolean
  /** What an error of the client means, as a person is told. */
  explain: (error: unknown) => unknown
  close: () => Promise<void>
}

export type ConnectOptions = {
  outbound: Outbound
  /** Addresses an administrator allows although they are private. */
  trusted: readonly string[]
  /** A list of the server has changed. */
  onChanged: () => void
  signal?: AbortSignal | undefined
}

/** @throws AppError `unavailable` with what happened; an abort as it is */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  const { address } = server
  const { outbound, trusted, signal } = options
  let refusal: AppError | null = null
  const refuse = (why: AppError) => {
    refusal ??= why
    void client.close()
  }
  const transport =
    address.kind === 'stdio'
      ? startProgram(address, refuse)
      : reachWebServer(outbound, address, trusted, refuse)
  const client = new Client(
    { name: 'Atrium', version: '1.0.0' },
    {
      capabilities: {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
      // A program is not started twice to learn what it speaks.
      versionNegotiation: { mode: address.kind === 'stdio' ? 'legacy' : 'auto' },
      jsonSchemaValidator: unchecked,
    },
  )
  const connection = watch(server, client, transport, () => refusal)
  listen(connection, options)
  try {
    await client.connect(transport, askOptions(signal))
    return connection
  } catch (error) {
    const explained = connection.explain(error)
    await connection.close()
    signal?.throwIfAborted()
    throw explained
  }
}

/** A server writes its schemas and its answers: an expression in one of them could take forever on the other. */
const unchecked: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** How long a server may take for everything that is no call of a tool. */
export const askOptions = (signal?: AbortSignal): RequestOptions => ({
  timeout: bounds.answerMs,
  ...(signal ? { signal } : {}),
})

function watch(
  server: McpServer,
  client: Client,
  transport: Transport | Program,
  refusal: () => AppError | null,
): Connection {
  let isOpen = true
  let isFlooding = false
  const mayPass = createMeter()
  client.onclose = () => {
    isOpen = false
  }
  // What goes wrong beside a call shows in the next one.
  client.onerror = () => undefined
  // A program counts by itself, before it reads what came.
  if (server.address.kind === 'http')
    transport.onmessage = () => {
      if (isFlooding || mayPass()) return
      isFlooding = true
      void client.close()
    }
  return {
    ...{ client, answerer: null, isOpen: () => isOpen },
    explain: (error) => refusal() ?? explain(server, transport, isFlooding, error),
    close: async () => {
      isOpen = false
      await client.close().catch(() => undefined)
      // A client that never got to know its server does not close it.
      await transport.close().catch(() => undefined)
    },
  }
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

/** A server answered with an error. Its words may hold what it was asked: they are for who asked. */
export class Refused extends AppError {}

function explain(
  server: McpServer,
  transport: Transport | Program,
  isFlooding: boolean,
  error: unknown,
): unknown {
  const { name } = server
  if (error instanceof AppError) return error
  const program = 'endedBy' in transport ? transport : null
  const endedBy = isFlooding ? 'flood' : (program?.endedBy() ?? null)
  if (endedBy === 'flood') return new AppError('unavailable', `${name} sent too much and was stopped.`)
  if (endedBy === 'memory')
    return new AppError('unavailable', `${name} took too much memory and was stopped.`)
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause
  if (endedBy === 'itself') {
    const said = hideSecrets(server, program?.lastWords() ?? '')
    return new AppError('unavailable', `${name} ended by itself.${said ? ` It last said: ${said}` : ''}`)
  }
  if (!(error instanceof Error)) return error
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (status === 401)
    return new AppError('unavailable', `${name} refused your account (401). Connect it anew.`)
  if (code === 'ENOENT') return new AppError('unavailable', `The program of ${name} was not found.`)
  if (code === 'EACCES') return new AppError('unavailable', `The program of ${name} may not be run.`)
  if (code === 'REQUEST_TIMEOUT') return new AppError('unavailable', `${name} did not answer in time.`)
  if (code === 'CONNECTION_CLOSED') return new AppError('unavailable', `${name} ended the connection.`)
  return new Refused('unavailable', `${name} answered: ${hideSecrets(server, error.message).slice(0, 500)}`, {
    cause: error,
  })
}
