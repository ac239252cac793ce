import { getHome, MAX_HOME_ITEMS } from '#shared/lifecycle/home/home.ts'
import { isFor } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { readInbox } from '../../runs/input-requests/input-requests.ts'
import type { Deps } from '../../tools/deps.ts'
import { findFinished } from './finished-store.ts'
import { findPinnedProjects, findToday, findUnread, hasWritten } from './home-store.ts'
import { notePersonAtHome, readSince } from './visit-store.ts'

/** Serves the home page with one call. */
export function serveHome(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, getHome, {
    handle: async ({ user, principal }) => {
      const now = clock.now()
      // A program that reads the page is no visit of the person.
      const since = await (principal.kind === 'user' ? notePersonAtHome : readSince)(db, user.id, now)
      const sees = {
        documents: isFor(principal, 'documents.read'),
        schedules: isFor(principal, 'assistants'),
      }
      const [waiting, finished, today, projects, isWriter] = await Promise.all([
        readInbox(deps, user, { status: 'waiting', skip: 0, limit: MAX_HOME_ITEMS }),
        findFinished(db, user, since, sees),
        sees.schedules ? findToday(db, user, user.timeZone ?? 'UTC') : { items: [], total: 0 },
        findPinnedProjects(db, user),
        hasWritten(db, user.id),
      ])
      const shown = finished.items.flatMap(({ kind, id }) => (kind === 'document' ? [] : [id]))
      const asking = waiting.items.flatMap(({ session_id }) => session_id ?? [])
      const unread = await findUnread(db, user, [...shown, ...asking])
      const lists = [waiting, finished, today, unread]
      const isEmpty = lists.every(({ total }) => total === 0) && projects.length === 0
      return {
        ...{ is_new: !isWriter && isEmpty, since: since.toISOString() },
        ...{ waiting: { items: waiting.items, total: waiting.total }, finished, today, unread, projects },
      }
    },
  })
}
