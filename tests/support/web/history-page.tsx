import { vi } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { ToastHost } from '../../../src/web/platform/ui/toasts/toast-host.tsx'
import { HistoryList } from '../../../src/web/runs/sessions/history-list.tsx'
import { type Answers, leavePage, renderPage } from './render-page.tsx'
import { aSession } from './session-builder.ts'

/** Answers as the server does for a history: sessions newest first, pages of 50, rename and delete. */
export function aHistoryServer(sessions: Session[], more: Answers = {}): Answers {
  let stored = sessions
  const routes: Answers = {
    'GET /sessions': ({ query }) => {
      const skip = Number(query.get('skip'))
      return { items: stored.slice(skip, skip + Number(query.get('limit'))), total: stored.length }
    },
  }
  for (const { id } of sessions) {
    routes[`PUT /sessions/${id}/rename`] = ({ body }) => {
      stored = stored.map((session) => (session.id === id ? { ...session, ...(body as object) } : session))
      return stored.find((session) => session.id === id)
    }
    routes[`DELETE /sessions/${id}`] = () => {
      stored = stored.filter((session) => session.id !== id)
      return { message: 'Deleted' }
    }
  }
  return { ...routes, ...more }
}

/** Returns the time so many days ago. */
export const at = (daysBack: number) => new Date(Date.now() - daysBack * 86_400_000).toISOString()
/** Returns sessions with the titles, each a day older than the one before. */
export const sessionsOf = (titles: string[]) =>
  titles.map((title, index) => aSession({ title, updated_at: at(index) }))

const Page = () => (
  <>
    <HistoryList />
    <ToastHost />
  </>
)
export const drawHistory = (answers: Answers, path = '/') => renderPage(<Page />, { path, answers })

/** Gives the virtual list a window: jsdom has no layout. */
export function prepareHistory(): void {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300)
  Element.prototype.scrollTo = () => {}
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
}

export function leaveHistory(): void {
  leavePage()
  vi.useRealTimers()
  vi.restoreAllMocks()
}
