import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import { assertStorage, takeStorage } from '../../money/storage/storage.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import { copyOtherSources } from '../../platform/access/classes/classes.ts'
import type { Deps } from '../../tools/deps.ts'
import { listForeign } from '../../tools/outward/outward.ts'
import { loadTree, pathTo } from '../messages/messages.ts'
import { copyMessages } from './copy-messages.ts'
import {
  copyAttachments,
  copyBeliefs,
  copyExecutions,
  copyMedia,
  copyRuns,
  copyUsedFacts,
  endFork,
  type Fork,
  findMade,
  insertFork,
  isTaken,
  type Made,
  measure,
} from './store.ts'

type Place = { sessionId: string; messageId: string; forkId?: string | undefined }

/**
 * Copies the path to a message into a new chat and returns its id. A repeated `forkId` copies once. Bytes of media are
 * copied first, if the storage has room; files without a row are removed, or swept later if the process is killed.
 * @throws AppError `not_found`, `session_busy` while the message is being written, `quota_exceeded`
 */
export async function forkChat(
  deps: Deps,
  user: Person,
  { sessionId, messageId, forkId = randomUUID() }: Place,
): Promise<string> {
  const node = (await loadTree(deps.db, sessionId)).nodes.get(messageId)
  if (!node) throw new AppError('not_found', 'Message not found')
  const path = pathTo(node).map(({ id }) => id)
  const made = await findMade(deps.db, path)
  const place = { sessionId, messageId, path, made }
  if (await isWanted(deps, user, forkId, place)) {
    try {
      await copyFiles(deps, made)
      if (!(await storeFork(deps, { id: forkId, userId: user.id }, place))) await removeFiles(deps, made)
    } catch (error) {
      // After any other error the fork may be stored nevertheless.
      if (error instanceof AppError) await removeFiles(deps, made)
      throw error
    }
  }
  // A chat that already has this id must belong to the caller.
  await findAllowed(deps.db, user, 'manage session', forkId)
  return forkId
}

type Origin = { sessionId: string; messageId: string; path: string[]; made: Made }

/** Returns whether there is no chat with the id yet. @throws AppError `session_busy`, `quota_exceeded` */
async function isWanted(deps: Deps, user: Person, forkId: string, origin: Origin): Promise<boolean> {
  if (await isTaken(deps.db, forkId)) return false
  const { is_unfinished, stored_bytes, media_bytes } = await measure(deps.db, origin)
  if (is_unfinished) throw new AppError('session_busy', 'Wait until this reply is finished.')
  await assertStorage(deps, user.id, stored_bytes + media_bytes)
  return true
}

/** Stores the fork with everything in it. Returns false when a concurrent call has stored it. */
async function storeFork(deps: Deps, { id, userId }: Fork, { sessionId, messageId, path, made }: Origin) {
  const pure = await deps.tools.pure()
  return deps.db.transaction().execute(async (trx) => {
    const size = await measure(trx, { sessionId, path, made })
    if (size.is_unfinished) throw new AppError('session_busy', 'Wait until this reply is finished.')
    const { stored_bytes, media_bytes } = size
    const fork = { id, userId, sessionId, messageId, stored_bytes }
    if (!(await insertFork(trx, fork))) return false
    await takeStorage({ ...deps, db: trx }, userId, stored_bytes + media_bytes)
    const ids = newIds(path, made)
    const foreign = new Set(await listForeign(trx, { messageId, userId, pure }))
    await copyMessages(trx, { sessionId: id, path, foreign }, ids)
    await copyRuns(trx, fork, made, ids)
    await copyOtherSources(trx, { from: sessionId, to: id, messageIds: path })
    await copyExecutions(trx, fork, made, ids)
    await copyMedia(trx, fork, made, ids)
    await copyBeliefs(trx, made, ids)
    await copyUsedFacts(trx, fork, path, ids)
    await copyAttachments(trx, { forkId: id, sessionId, messageId, path }, ids)
    await endFork(trx, id, ids.get(messageId) ?? '')
    return true
  })
}

async function copyFiles({ files }: Pick<Deps, 'files'>, { media }: Made): Promise<void> {
  for (const { file_key, new_key } of media) await files.write(new_key, await files.read(file_key))
}

async function removeFiles({ files }: Pick<Deps, 'files'>, { media }: Made): Promise<void> {
  for (const { new_key } of media) await files.remove(new_key)
}

/** Maps every id that a copied message may name to its new id. */
function newIds(path: string[], { runs, executions, media }: Made): Map<string, string> {
  const ids = new Map(media.map(({ id, new_id }) => [id, new_id]))
  for (const id of [...path, ...runs.map((run) => run.id), ...executions.map((execution) => execution.id)])
    ids.set(id, randomUUID())
  return ids
}
