import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import { takeStorage } from '../../money/storage/storage.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
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
  endFork,
  findMade,
  insertFork,
  type Made,
  measure,
} from './store.ts'

type Place = { sessionId: string; messageId: string; forkId?: string | undefined }

/**
 * Copies the path to a message into a new chat and returns its id. A repeated `forkId` copies once. Bytes of media are
 * copied first; files without a row are swept later.
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
  const pure = await deps.tools.pure()
  await copyFiles(deps, made)
  await deps.db.transaction().execute(async (trx) => {
    const size = await measure(trx, { sessionId, path, made })
    if (size.is_unfinished) throw new AppError('session_busy', 'Wait until this reply is finished.')
    const { stored_bytes, media_bytes } = size
    const fork = { id: forkId, userId: user.id, sessionId, messageId, stored_bytes }
    if (!(await insertFork(trx, fork))) return
    await takeStorage({ ...deps, db: trx }, user.id, stored_bytes + media_bytes)
    const ids = newIds(path, made)
    const foreign = new Set(await listForeign(trx, { messageId, userId: user.id, pure }))
    await copyMessages(trx, { sessionId: forkId, path, foreign }, ids)
    await copyRuns(trx, fork, made, ids)
    await copyExecutions(trx, fork, made, ids)
    await copyMedia(trx, fork, made, ids)
    await copyBeliefs(trx, made, ids)
    await copyAttachments(trx, { forkId, sessionId, messageId, path }, ids)
    await endFork(trx, forkId, ids.get(messageId) ?? '')
  })
  // A chat that already has this id must belong to the caller.
  await findAllowed(deps.db, user, 'manage session', forkId)
  return forkId
}

async function copyFiles({ files }: Pick<Deps, 'files'>, { media }: Made): Promise<void> {
  for (const { file_key, new_key } of media) await files.write(new_key, await files.read(file_key))
}

/** Maps every id that a copied message may name to its new id. */
function newIds(path: string[], { runs, executions, media }: Made): Map<string, string> {
  const ids = new Map(media.map(({ id, new_id }) => [id, new_id]))
  for (const id of [...path, ...runs.map((run) => run.id), ...executions.map((execution) => execution.id)])
    ids.set(id, randomUUID())
  return ids
}
