import type { ChatPlace, PlacedChat } from '#shared/chat/projects/projects.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { countOpen, lockChats, writePlaces } from './place-store.ts'

/**
 * Moves chats of the caller and shares them with their project, all or none. Returns their new places in the order of the
 * request. @throws AppError `not_found` for a chat or project that is gone or not the caller's, `invalid` for sharing a
 * chat without a project
 */
export async function placeChats(
  { db }: Pick<Platform, 'db'>,
  user: Caller,
  wishes: readonly ChatPlace[],
  audit: Audit,
): Promise<PlacedChat[]> {
  const wished = new Map(wishes.map((wish) => [wish.session_id, wish]))
  return db.transaction().execute(async (trx) => {
    const before = await lockChats(trx, user, [...wished.keys()])
    if (before.length < wished.size) throw new AppError('not_found', 'Session not found')
    const places = before.map((chat) => placeOf(chat, wished.get(chat.session_id)))
    const projects = [...new Set(places.flatMap(({ workspace_id }) => workspace_id ?? []))]
    if ((await countOpen(trx, user, projects)) < projects.length)
      throw new AppError('not_found', 'Project not found')
    if (places.some(({ workspace_id, is_shared }) => is_shared && workspace_id === null))
      throw new AppError('invalid', 'Move the chat into a project before you share it.')
    await writePlaces(trx, places)
    for (const [index, { session_id, is_shared, workspace_id }] of places.entries()) {
      if (before[index]?.is_shared === is_shared) continue
      const changes = changed('shared with the project', is_shared ? null : 'yes', is_shared ? 'yes' : null)
      const did = is_shared ? ('share.added' as const) : ('share.removed' as const)
      await audit(trx, { did, subject: session_id, subjectId: workspace_id, changes })
    }
    const byId = new Map(places.map((place) => [place.session_id, place]))
    return [...wished.keys()].flatMap((id) => byId.get(id) ?? [])
  })
}

/** Returns the place of a chat after a requested change. A chat that changes its project becomes private. */
function placeOf(
  { session_id, workspace_id: from, is_shared: wasShared }: PlacedChat,
  wish: ChatPlace | undefined,
): PlacedChat {
  const workspace_id = wish?.workspace_id === undefined ? from : wish.workspace_id
  const stays = workspace_id === from
  return { session_id, workspace_id, is_shared: wish?.is_shared ?? (stays && wasShared) }
}
