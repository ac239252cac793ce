import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render } from '@testing-library/react'
import { toast } from 'react-toastify/unstyled'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { queryClient } from '../../../src/web/platform/lib/api/query-client.ts'
import { setCurrentSession, useCurrentSession } from '../../../src/web/platform/lib/current-session.ts'
import { setSheetOpen, setSidebarOpen } from '../../../src/web/platform/lib/layout.ts'
import { settleSessionExpired } from '../../../src/web/platform/lib/me/session-expired.ts'
import { clearToken, setToken } from '../../../src/web/platform/lib/me/token.ts'
import { forgetOpened } from '../../../src/web/platform/lib/visit/leave-embed.ts'
import { ToastHost } from '../../../src/web/platform/ui/toasts/toast-host.tsx'
import { useToastsWanted } from '../../../src/web/platform/ui/toasts/toasts.ts'
import { createAppRouter } from '../../../src/web/routes.tsx'
import { type Answers, answerCall, type Sent, startTexts } from './render-page.tsx'

/** Returns a signed-in person; a member unless a role is given. */
export function aUser(
  more: Partial<User> & { role?: User['company_affiliations'][0]['role']['name'] } = {},
): User {
  const { role = 'member', ...fields } = more
  const id = '11111111-1111-4111-8111-111111111111'
  return {
    id,
    email: 'claire.delmas@orsane.eu',
    username: 'claire',
    full_name: 'Claire Delmas',
    language: 'en',
    bio: null,
    writing_style_examples: [],
    balance: null,
    // The welcome has been completed.
    preferences: { onboarding: { welcome: { completed: true } } },
    picture_id: null,
    company_affiliations: [{ company: { id, name: 'Groupe Orsane' }, role: { name: role } }],
    created_at: '2026-01-01T00:00:00Z',
    ...fields,
  }
}

/** Returns the server's answers about a session without messages. */
export function theSession(session: Session): Answers {
  return {
    'GET /sessions': () => ({ items: [session], total: 1 }),
    [`GET /sessions/${session.id}`]: () => session,
    [`GET /sessions/${session.id}/active-branch`]: () => ({
      active_branch: [],
      branch_id: session.id,
      ...{ total: 0, start: 0, has_more: false, forks: [], links: [], branch_number: 0, branch_count: 0 },
    }),
  }
}

/** Returns the answers of a server that knows only one person. */
export function aServer(more: Answers = {}, user: User = aUser()): Answers {
  return {
    'GET /users/me': () => user,
    'GET /sessions': () => ({ items: [], total: 0 }),
    'GET /input-requests': () => ({ items: [], total: 0, assistants: [] }),
    'GET /tools': () => [],
    'GET /users/me/payments': () => ({ can_pay: false, items: [], total: 0, has_more: false }),
    'DELETE /token': () => ({ message: 'You are signed out.' }),
    'GET /sign-in-options': () => ({
      providers: ['Google', 'Microsoft', 'GitHub', 'Apple', 'Facebook', 'SAML'].map((name) => ({
        ...{ id: name.toLowerCase(), name },
        available: name === 'Google',
      })),
      verification_required: true,
      setup_code_required: false,
      first_account: false,
      sign_up: 'open',
    }),
    ...more,
  }
}

/** Renders the whole product at an address, with only the network replaced. */
export async function renderApp(
  path: string,
  { token = null as string | null, answers = aServer(), language = 'en' } = {},
) {
  await startTexts(language)
  forgetToasts()
  if (token) setToken(token)
  const sent: Sent[] = []
  globalThis.fetch = (url, init) => answerCall(String(url), init, answers, sent)
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  const view = render(
    <>
      <RouterProvider router={router} />
      <ToastHost />
    </>,
  )
  await act(() => router.load())
  const hrefNow = () => router.state.location.href
  return {
    ...view,
    router,
    sent,
    hrefNow,
    called: (call: string) => sent.filter((one) => `${one.method} ${one.path}` === call),
  }
}

/** Discards toasts of a page, because the library keeps them for the next page that can show them. */
function forgetToasts() {
  useToastsWanted.setState({ isWanted: false })
  toast.dismiss()
}

/** Undoes `renderApp`. */
export function leaveApp(): void {
  cleanup()
  queryClient.clear()
  clearToken()
  localStorage.clear()
  sessionStorage.clear()
  forgetOpened()
  settleSessionExpired()
  setCurrentSession(null)
  useCurrentSession.setState({ isCreating: false })
  setSidebarOpen(true)
  setSheetOpen(false)
}

/** Adds browser features that jsdom lacks. `isPhone` answers the media query of phones. */
export function prepareBrowser({ isPhone = false } = {}): void {
  window.matchMedia = ((query: string) => ({
    matches: isPhone && query.includes('767px'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  })) as never
  window.scrollTo = () => {}
  Element.prototype.scrollTo ??= () => {}
  Element.prototype.scrollIntoView ??= () => {}
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
}
