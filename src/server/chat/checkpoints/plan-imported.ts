import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { withEarlier } from '../../tools/outward/outward.ts'
import { planReply } from '../messages/messages.ts'
import { findImported } from './store.ts'

/**
 * Plans a run that continues an imported journal with the model, tools and rights that the caller has now. Memory stays out: it was
 * chosen for another moment. Returns null for a run of this installation. @throws AppError `insufficient_balance`, `not_available`
 */
export async function planImported(deps: Deps, user: Caller, { run_id }: { run_id: string }) {
  const imported = await findImported(deps.db, run_id)
  if (!imported) return null
  const { session, agent_type, user_message_id } = imported
  const { memory: _, outward, ...plan } = await planReply(deps, user, session, { agent_type })
  const pure = await deps.tools.pure()
  const asked = { messageId: user_message_id, userId: user.id, pure }
  return async (trx: Kysely<Tables>) => ({
    ...{ ...plan, agent_type, user_message_id },
    ...(outward && { outward: await withEarlier(trx, outward, asked) }),
  })
}
