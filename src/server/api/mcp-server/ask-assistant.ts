import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { ASSISTANT_PREFIX } from '#shared/api/openai/models.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { awaitCall, beginAnswer, callIdOf, findWireAssistant, slugOf } from '../openai/openai.ts'
import { answering } from './answering.ts'

/** The caller, protocol revision and session; see `mcp-server.ts`. */
export type Asking = { caller: Caller; session: string | null; era: 'legacy' | 'modern' }

/** Minimum interval of progress notifications. */
const TELL_EVERY_MS = 250

const Turn = z.object({ role: z.enum(['user', 'assistant']), content: z.string().min(1).max(100_000) })
const Ask = z.object({
  assistant: z.string().trim().min(1).max(300).describe('The name or the id of an assistant'),
  question: z.string().trim().min(1).max(100_000),
  earlier: z.array(Turn).max(50).default([]).describe('What was said before, the oldest first'),
})
const Answered = z.object({
  answer: z.string(),
  assistant: z.string(),
  sources: z.array(z.object({ title: z.string(), url: z.string() })),
})

/** Offers a tool that asks an assistant, with its tools and documents, at the caller's expense. */
export function offerAsking(server: McpServer, deps: Deps, asking: Asking): void {
  server.registerTool(
    'ask_assistant',
    {
      ...{ title: 'Ask an assistant', inputSchema: Ask, outputSchema: Answered },
      description:
        'Has an assistant of this workspace answer a question, with its own tools and documents. It may take minutes; what it says meanwhile comes as progress.',
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (input, context) =>
      answering(
        () => ask(deps, asking, input, context),
        ({ answer, sources }) =>
          [answer, ...sources.map(({ title, url }) => `${title}: ${url}`)].join('\n\n'),
      ),
  )
}

/** Cancels a call by its request id. */
export async function cancelAsk(
  deps: Deps,
  { caller, session }: Pick<Asking, 'caller' | 'session'>,
  body: unknown,
): Promise<void> {
  const cancelled = Cancelled.safeParse(body)
  if (!cancelled.success || session === null) return
  await stopSession(deps.engine, callIdOf(caller, nameOf(caller, session, cancelled.data.params.requestId)))
}

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string().max(200), z.number()]) }),
})

/** Returns the name of a call. It includes key and session, so that no caller can cancel another's. */
const nameOf = (caller: Caller, session: string, requestId: string | number) =>
  `mcp:${caller.kind === 'key' ? caller.key.id : ''}:${session}:${requestId}`

async function ask(
  deps: Deps,
  { caller, session, era }: Asking,
  { assistant: named, question, earlier }: z.output<typeof Ask>,
  { mcpReq }: ServerContext,
) {
  const model = ASSISTANT_PREFIX + (Id.safeParse(named).success ? named : slugOf(named))
  const assistant = await findWireAssistant(deps, caller, model)
  if (!assistant) throw new AppError('not_available', 'There is no such assistant.')
  const turns = [...earlier, { role: 'user' as const, content: question }]
  const idempotencyKey = session === null ? null : nameOf(caller, session, mcpReq.id)
  const call = { assistantId: assistant.id, words: '', turns, fileIds: [] }
  const begun = await beginAnswer(deps, caller, call, { asked: model, idempotencyKey })
  const answer = await awaitCall(deps, caller, begun, mcpReq.signal, {
    ...{ text: tellingOf(mcpReq), thought: () => undefined },
  })
  if (answer) {
    const sources = answer.annotations.map(({ title, url }) => ({ title, url }))
    return { answer: answer.text, assistant: assistant.name, sources }
  }
  // Since the 2026 protocol a disconnect cancels; before, the connection may just have been lost.
  if (era === 'modern') await stopSession(deps.engine, begun.id)
  throw new AppError('conflict', 'The question was taken back.')
}

/** Returns a function that reports progress on request: the number of characters and the newest text. */
function tellingOf({ _meta, notify }: ServerContext['mcpReq']): (piece: string) => void {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => undefined
  let progress = 0
  let message = ''
  let told = 0
  return (piece) => {
    progress += piece.length
    message += piece
    if (message === '' || performance.now() - told < TELL_EVERY_MS) return
    told = performance.now()
    const params = { progressToken, progress, message }
    message = ''
    // The caller has disconnected.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
