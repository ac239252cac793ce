import type { Kysely } from 'kysely'
import { MAX_COPIED_CHATS } from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Deps } from '../../tools/deps.ts'
import { forkChat } from '../forks/forks.ts'
import { listCopied, type Places, placeCopy } from './project-copy-store.ts'

const JOB = 'copy-project-chats'

/** Registers the job that copies the chats of a duplicated project. */
export function registerChatCopies(deps: Deps): void {
  deps.jobs.register(
    JOB,
    ({ user_id, from, to }, signal) =>
      copyChats(deps, String(user_id), { from: String(from), to: String(to) }, signal),
    { places: 1 },
  )
}

/** Adds the job in the transaction that makes the copy. Call `jobs.prepare` before it. */
export const requestChatCopies = (
  { jobs }: Pick<Deps, 'jobs'>,
  within: Kysely<Tables>,
  userId: string,
  { from, to }: Places,
) => jobs.add(JOB, { user_id: userId, from, to }, { key: `${JOB}:${to}`, within })

/** Copies chat after chat with the current rights of the person. The id of each copy is derived, so that a repeated job copies none twice. */
async function copyChats(deps: Deps, userId: string, places: Places, signal: AbortSignal): Promise<void> {
  const person = { kind: 'user' as const, ...(await readUser(deps, userId)) }
  for (const { id, active_leaf, copy_id } of await listCopied(deps.db, person, places, MAX_COPIED_CHATS)) {
    signal.throwIfAborted()
    try {
      await forkChat(deps, person, { sessionId: id, messageId: active_leaf, forkId: copy_id })
      await placeCopy(deps.db, userId, copy_id, places.to)
    } catch (error) {
      // A chat that is being answered, is gone, or does not fit into the storage is left out.
      if (!(error instanceof AppError)) throw error
      deps.log.warn({ error, session: id }, 'A chat of a duplicated project was left out.')
    }
  }
}
