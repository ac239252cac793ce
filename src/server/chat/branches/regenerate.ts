import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { assertIdle } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  findMessage,
  planReply,
  type ReplyWish,
  type Request,
  streamReply,
  wishOf,
  withoutEmpty,
} from '../messages/messages.ts'

/**
 * Streams an alternative reply to the question of an existing reply.
 * @throws AppError `invalid` for anything but a reply, `session_busy`, `insufficient_balance`
 */
export async function regenerate(
  deps: Deps,
  call: Request,
  messageId: string,
  wish: ReplyWish,
): Promise<void> {
  const { user, sessionId } = call
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  const replaced = await findMessage(deps.db, sessionId, messageId)
  if (replaced.role !== 'assistant' || replaced.parent_id === null) {
    throw new AppError('invalid', 'Only a reply can be regenerated.')
  }
  await assertIdle(deps.db, sessionId)
  const question = await findMessage(deps.db, sessionId, replaced.parent_id)
  const plan = await planReply(deps, user, session, { ...wishOf(question), ...withoutEmpty(wish) })
  await streamReply(deps, call, plan, async () => question)
}
