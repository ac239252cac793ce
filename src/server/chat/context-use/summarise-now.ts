import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import { withOrigin } from '../../models/masking/masking.ts'
import { defaultModelFor, findModelFor } from '../../models/model-choice/model-choice.ts'
import { askQuietly } from '../../models/models/asking/ask-quietly.ts'
import type { ModelMessage, Usage } from '../../models/models/port.ts'
import { assertBalance, createCallPurse, recordUsage } from '../../money/billing/billing.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { sending } from '../../platform/access/classes/classes.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { assertIdle, lockSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { summariseChat } from '../agents/agents.ts'
import { findChatAssistant } from '../assistants/assistants.ts'
import { keepCompaction } from './store.ts'

/** Window of models that do not state one, in tokens. */
const DEFAULT_CONTEXT_TOKENS = 32_000
/** Timeout of all calls together, in milliseconds. */
const TIMEOUT_MS = 5 * 60_000

/**
 * Summarises the messages of a chat up to its last one with the model of the chat, which the person pays for. Each call is booked when
 * it was answered. @throws AppError `conflict` without messages, after a summary, or when the chat continued; `session_busy`
 */
export async function summariseNow(deps: Deps, user: Caller, sessionId: string) {
  const { db } = deps
  const session = await findAllowed(db, user, 'write session', sessionId)
  const { active_leaf: leafId } = session
  if (leafId === null) throw nothingNew()
  await assertIdle(db, sessionId)
  await assertBalance(deps, user.id)
  const assistant = await findChatAssistant(deps, user, session)
  const chosen = session.model_name || assistant?.model_name
  const model = await (chosen ? findModelFor(deps, user.id, chosen) : defaultModelFor(deps, user.id))
  const contextTokens = model.context_tokens ?? DEFAULT_CONTEXT_TOKENS
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const summary = await summariseChat(db, { leafId, contextTokens }, (messages) =>
    sending({ leafId, language: user.language, reader: async () => user }, () =>
      ask(deps, { user, sessionId, model: model.id, signal }, messages),
    ),
  )
  if (summary === null) throw nothingNew()
  await db.transaction().execute(async (trx) => {
    const { active_leaf } = await lockSession(trx, sessionId)
    await assertIdle(trx, sessionId)
    if (active_leaf !== leafId)
      throw new AppError('conflict', 'The chat continued meanwhile. Summarize it again.')
    await keepCompaction(trx, leafId, summary)
  })
  return { message_id: leafId, summary }
}

const nothingNew = () => new AppError('conflict', 'There is nothing new to summarize.')

type Asking = { user: Caller; sessionId: string; model: string; signal: AbortSignal }

/** Makes one call, and books it together with the release of its reservation. */
async function ask(
  deps: Deps,
  { user, sessionId, model, signal }: Asking,
  messages: ModelMessage[],
): Promise<string> {
  const { db, models } = deps
  const { reservations } = deps.engine
  const purse = createCallPurse({ ...deps, reservations }, { user_id: user.id, run_id: randomUUID(), signal })
  const used: { usage: Usage; model: string }[] = []
  try {
    await purse.reserve(model, { messages, tools: [] })
    const caller = { person: user.id, is_background: false }
    const question = { model, messages, language: user.language, caller, signal }
    const origin = { user_id: user.id, session_id: sessionId, message_id: null }
    const bill = (usage: Usage, answered: string) => used.push({ usage, model: answered })
    const summary = await withOrigin(origin, () => askQuietly(deps, question, bill, purse))
    for (const { usage, model: model_name } of used) {
      const price = await models.price(model_name, usage)
      const entry = { user_id: user.id, session_id: sessionId, run_id: null, step_key: null, attempt: 1 }
      await db.transaction().execute(async (trx) => {
        await purse.settle(trx)
        await recordUsage(trx, { ...entry, model_name, usage, price, reason: 'summary' })
      })
    }
    if (summary === '') throw new AppError('provider_failed', 'The conversation could not be summarized.')
    return summary
  } finally {
    await purse.close()
  }
}
