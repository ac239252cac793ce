import { clearLeft, deleteDocument, lockReadings } from '../../../knowledge/documents/documents.ts'
import { requestForgetting } from '../../../knowledge/search/search.ts'
import { isHeld } from '../../../platform/db/db.ts'
import type { Deps } from '../../../tools/deps.ts'
import { type ImportRow, moveImport } from '../import-store.ts'
import {
  countLeft,
  deleteAssistant,
  deleteChatRow,
  deleteFact,
  deleteMessages,
  deleteProject,
  deletePrompt,
  deleteSchedule,
  forgetThings,
  isContinued,
  isUsed,
  lockMessages,
  nextChats,
  nextExtended,
  nextThings,
  readLeaf,
} from './undo-store.ts'

/** Each kind is removed before those that it uses: schedules use projects and assistants, projects their facts and an assistant, prompts an assistant. */
const removals = [
  ['schedule', deleteSchedule],
  ['fact', deleteFact],
  ['project', deleteProject],
  ['prompt', deletePrompt],
  ['assistant', deleteAssistant],
] as const

type Step = (id: string) => Promise<void>

/**
 * Deletes what an import added, thing by thing, so that a killed undo continues. A chat that was continued stays as it is, and so do
 * changed assistants and prompts, and documents that are used elsewhere.
 */
export async function undoImport(deps: Deps, { id }: ImportRow, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const each = (next: (after: string | null) => Promise<string[]>, step: Step) => walk(next, step, signal)
  await each(
    (after) => nextChats(db, id, after),
    (chat) => removeChat(deps, id, chat),
  )
  await each(
    (after) => nextExtended(db, id, after),
    (chat) => removeMessages(deps, id, chat),
  )
  for (const [kind, remove] of removals)
    await each(
      (after) => nextThings(db, id, kind, after),
      (thing) => removeThing(deps, id, thing, remove),
    )
  await each(
    (after) => nextThings(db, id, 'file', after),
    (thing) => removeFileOf(deps, id, thing),
  )
  await requestForgetting(deps)
  const kept = await countLeft(db, id)
  await moveImport(db, id, { from: ['undoing'], to: 'undone', now: clock.now() }, { kept })
}

async function walk(
  next: (after: string | null) => Promise<string[]>,
  step: Step,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    const ids: string[] = await next(after)
    for (const id of ids) {
      signal.throwIfAborted()
      // A legal hold keeps its things, and the import keeps their number.
      await step(id).catch((error) => {
        if (!isHeld(error)) throw error
      })
    }
    after = ids.at(-1) ?? null
    if (after === null) return
  }
}

async function removeChat({ db, files }: Deps, importId: string, chatId: string): Promise<void> {
  const keys = await db.transaction().execute(async (trx) => {
    return (await isContinued(trx, chatId, importId)) === false ? deleteChatRow(trx, chatId) : []
  })
  for (const key of keys) await files.remove(key)
}

/** Removes the messages that nothing else follows. */
async function removeMessages({ db, files }: Deps, importId: string, chatId: string): Promise<void> {
  const keys = await db.transaction().execute(async (trx) => {
    const messages = await lockMessages(trx, chatId, importId)
    const byId = new Map(messages.map((message) => [message.id, message]))
    const needed = new Set<string>()
    for (const { id, is_added } of messages) {
      if (is_added) continue
      for (let at = byId.get(id); at && !needed.has(at.id); at = byId.get(at.parent_id ?? ''))
        needed.add(at.id)
    }
    const gone = messages.filter(({ id }) => !needed.has(id))
    if (gone.length === 0) return []
    let leaf = byId.get((await readLeaf(trx, chatId)) ?? '')
    while (leaf && !needed.has(leaf.id)) leaf = byId.get(leaf.parent_id ?? '')
    return deleteMessages(
      trx,
      chatId,
      gone.map(({ id }) => id),
      { leaf: leaf?.id ?? null, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) },
    )
  })
  for (const key of keys) await files.remove(key)
}

async function removeThing(
  { db }: Deps,
  importId: string,
  thingId: string,
  remove: (typeof removals)[number][1],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await remove(trx, thingId, importId)) await forgetThings(trx, importId, thingId)
  })
}

async function removeFileOf(deps: Deps, importId: string, documentId: string): Promise<void> {
  const left = await deps.db.transaction().execute(async (trx) => {
    const readings = await lockReadings(trx, documentId)
    if (await isUsed(trx, documentId)) return null
    await forgetThings(trx, importId, documentId)
    return deleteDocument(trx, documentId, readings)
  })
  if (left) await clearLeft(deps, left)
}
