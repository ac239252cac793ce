import * as contract from '#shared/chat/session-marks/session-marks.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { changeMarks, listPins, listUsedTags, lockMarks, numberPins } from './store.ts'

/** Serves how a person organizes chats: pins, archive, tags, and what was read. */
export function serveSessionMarks(server: Server, { db, clock }: Deps): void {
  serve(server, contract.markSessions, {
    handle: async ({ user, body }) => {
      const changes = mergeChanges(body.items)
      const items = await db.transaction().execute(async (trx) => {
        await lockMarks(trx, user.id)
        const marked = await changeMarks(trx, user, changes, clock.now())
        const isPinning = changes.some(({ is_pinned }) => is_pinned)
        if (isPinning && (await listPins(trx, user)).length > contract.MAX_PINS)
          throw new AppError('conflict', `You can pin ${contract.MAX_PINS} chats. Unpin one first.`)
        if (marked.some(({ tags }) => tags.length > contract.MAX_TAGS))
          throw new AppError('conflict', `A chat can have ${contract.MAX_TAGS} tags. Remove one first.`)
        return marked
      })
      if (items.length === 0) throw new AppError('not_found', 'Session not found')
      return { items }
    },
  })
  serve(server, contract.orderPins, {
    handle: async ({ user, body }) =>
      db.transaction().execute(async (trx) => {
        await lockMarks(trx, user.id)
        const pins = await listPins(trx, user)
        const named = [...new Set(body.session_ids)].filter((id) => pins.includes(id))
        const session_ids = [...named, ...pins.filter((id) => !named.includes(id))].slice(
          0,
          contract.MAX_PINS,
        )
        await numberPins(trx, user.id, session_ids)
        return { session_ids }
      }),
  })
  serve(server, contract.listTags, {
    handle: async ({ user }) => ({ items: await listUsedTags(db, user) }),
  })
}

/** Merges changes of the same chat, the last ones winning. */
function mergeChanges(items: readonly contract.MarkChange[]): contract.MarkChange[] {
  const merged = new Map<string, contract.MarkChange>()
  for (const item of items) {
    const before = merged.get(item.session_id)
    merged.set(item.session_id, { ...before, ...item, ...mergeTags(before, item) })
  }
  return [...merged.values()]
}

/** Returns the tags to add and to remove after both changes. No tag is in both lists. */
function mergeTags(before: Partial<contract.MarkChange> = {}, after: contract.MarkChange) {
  const added = after.add_tags?.map(cleanCharacters) ?? []
  const removed = (after.remove_tags?.map(cleanCharacters) ?? []).filter((tag) => !added.includes(tag))
  const stillAdded = before.add_tags?.filter((tag) => !removed.includes(tag)) ?? []
  const stillRemoved = before.remove_tags?.filter((tag) => !added.includes(tag)) ?? []
  return { add_tags: [...stillAdded, ...added], remove_tags: [...stillRemoved, ...removed] }
}
