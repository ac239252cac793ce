import type { Session } from '#shared/chat/sessions/sessions.ts'

/** A page of the list. The first one of the whole history brings the pinned sessions. */
export type SessionPage = { items: Session[]; total: number; pinned?: Session[] }

/** The pages of a session list in the query cache. `pageParams` are the skips. */
export type SessionPages = { pages: SessionPage[]; pageParams: unknown[] }

export const UNEXPECTED_SESSIONS =
  'Received unexpected data format for sessions. Expected an array or an object with an "items" property.'

/**
 * Parses the answer of a session list: an array, or an object with `items` and maybe `total`. An array has no total, so a
 * full page may be followed by another one.
 * @throws Error with the sentence of `UNEXPECTED_SESSIONS` for anything else
 */
export function readSessionPage(answer: unknown, asked: { skip: number; limit: number }): SessionPage {
  if (Array.isArray(answer)) return { items: answer, total: guessTotal(answer.length, asked) }
  if (typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)) {
    const { items } = answer
    const total = 'total' in answer && typeof answer.total === 'number' ? answer.total : null
    const pinned = 'pinned' in answer && Array.isArray(answer.pinned) ? { pinned: answer.pinned } : {}
    return { items, total: total ?? guessTotal(items.length, asked), ...pinned }
  }
  throw new Error(UNEXPECTED_SESSIONS)
}

/** Returns all loaded sessions once each, in list order. */
export function flattenSessions(data: SessionPages | undefined): Session[] {
  const seen = new Set<string>()
  const sessions: Session[] = []
  for (const session of data?.pages.flatMap((page) => page.items) ?? []) {
    if (!seen.has(session.id)) sessions.push(session)
    seen.add(session.id)
  }
  return sessions
}

/** Returns the pinned sessions in their order, then all other loaded ones in list order. */
export function pinnedFirst(data: SessionPages | undefined): Session[] {
  const listed = flattenSessions(data)
  const pins = new Map([...(data?.pages[0]?.pinned ?? []), ...listed].map((session) => [session.id, session]))
  const pinned = [...pins.values()].filter(({ pin_position }) => pin_position !== null)
  pinned.sort((a, b) => Number(a.pin_position) - Number(b.pin_position))
  return [...pinned, ...listed.filter(({ pin_position }) => pin_position === null)]
}

/** Returns the total number of sessions on the server. */
export function totalOf(data: SessionPages | undefined): number {
  return data?.pages.at(-1)?.total ?? 0
}

/** Returns the start of the next page; undefined if everything is loaded. */
export function nextSkip(pages: SessionPage[]): number | undefined {
  const last = pages.at(-1)
  const loaded = pages.reduce((sum, page) => sum + page.items.length, 0)
  return last && last.items.length > 0 && loaded < last.total ? loaded : undefined
}

/** Puts a session at the top of the list, once. */
export function putSessionFirst(data: SessionPages, session: Session): SessionPages {
  const isNew = !data.pages.some((page) => page.items.some(({ id }) => id === session.id))
  const pages = data.pages.map((page, index) => {
    const others = page.items.filter(({ id }) => id !== session.id)
    const items = index === 0 ? [session, ...others] : others
    return { ...page, items, total: page.total + (isNew ? 1 : 0) }
  })
  return { ...data, pages }
}

/** Changes fields of a listed session; does nothing for others. */
export function patchSession(data: SessionPages, id: string, patch: Partial<Session>): SessionPages {
  if (!data.pages.some((page) => [...page.items, ...(page.pinned ?? [])].some((one) => one.id === id)))
    return data
  const change = (sessions: Session[]) =>
    sessions.map((session) => (session.id === id ? { ...session, ...patch } : session))
  const pages = data.pages.map((page) => ({
    ...page,
    items: change(page.items),
    ...(page.pinned ? { pinned: change(page.pinned) } : {}),
  }))
  return { ...data, pages }
}

/** Removes sessions from the list and from its total. */
export function removeSessions(data: SessionPages, ids: ReadonlySet<string>): SessionPages {
  const stays = ({ id }: Session) => !ids.has(id)
  const removed = pinnedFirst(data).filter(({ id }) => ids.has(id)).length
  const pages = data.pages.map((page) => ({
    items: page.items.filter(stays),
    total: page.total - removed,
    ...(page.pinned ? { pinned: page.pinned.filter(stays) } : {}),
  }))
  return { ...data, pages }
}

/**
 * Merges a refreshed first page into the list: its sessions come first, and those missing from it were deleted elsewhere.
 * Later pages stay.
 */
export function mergeHead(data: SessionPages, head: SessionPage): SessionPages {
  const isWhole = head.items.length >= head.total
  const oldest = head.items.at(-1)?.updated_at ?? ''
  const fresh = new Set(head.items.map(({ id }) => id))
  const stays = (session: Session) => !isWhole && !fresh.has(session.id) && session.updated_at <= oldest
  const pages = data.pages.map((page, index) => ({
    items: [...(index === 0 ? head.items : []), ...page.items.filter(stays)],
    total: head.total,
    ...(index === 0 && head.pinned ? { pinned: head.pinned } : {}),
  }))
  return { ...data, pages }
}

/** Returns the session to open if none is selected: the first of the list, or null. */
export function firstSessionId(sessions: readonly Session[], currentId: string | null): string | null {
  return currentId === null ? (sessions[0]?.id ?? null) : null
}

/** Returns where to navigate after deletions: null if the current session remains, otherwise its neighbour or `home`. */
export function neighbourAfterDelete(
  order: readonly string[],
  gone: ReadonlySet<string>,
  currentId: string | null,
): string | 'home' | null {
  if (currentId === null || !gone.has(currentId)) return null
  const at = order.indexOf(currentId)
  const below = order.slice(at + 1).find((id) => !gone.has(id))
  const above = order.slice(0, Math.max(at, 0)).findLast((id) => !gone.has(id))
  return below ?? above ?? 'home'
}

function guessTotal(count: number, { skip, limit }: { skip: number; limit: number }): number {
  return skip + count + (count >= limit ? 1 : 0)
}
