import { act, screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anInit, aView, WrittenStream } from '#tests/web/event-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { useCurrentSession } from './platform/lib/current-session.ts'
import { clearToken, getToken } from './platform/lib/me/token.ts'
import { createAppRouter } from './routes.tsx'

beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const superAdmin = aServer({}, aUser({ role: 'super_admin' }))
const companyAdmin = aServer({}, aUser({ role: 'company_admin' }))
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 })
const settled = (check: () => void) => waitFor(check)

describe('without a token', () => {
  it('shows Loading... and redirects to the login page, which remembers the requested page [RT-01, RT-13]', async () => {
    const { hrefNow, router } = await renderApp('/tools?x=1')
    await settled(() => expect(hrefNow()).toBe('/login'))
    expect(router.state.location.state.from).toBe('/tools?x=1')
  })

  it('shows Loading... until the redirect [RT-13]', async () => {
    const { Gate } = await import('./lifecycle/shell/gate.tsx')
    const { renderPage } = await import('#tests/web/render-page.tsx')
    const page = renderPage(<Gate />, { path: '/tools' })
    clearToken()
    await page
    expect(screen.getByRole('status').textContent).toBe('Loading...')
  })

  it('redirects any other path to the login page [RT-12]', async () => {
    const { hrefNow } = await renderApp('/nowhere/at/all')
    await settled(() => expect(hrefNow()).toBe('/login'))
  })

  it.each([
    ['/login', 'Log in'],
    ['/login/signup', 'Create an account'],
    ['/login/forgot-password', 'Forgot your password?'],
    ['/login/reset-password?token=1', 'Choose a new password'],
    ['/login/verify-email', 'Confirm your e-mail'],
    ['/login/unsubscribe', 'Stop announcements by mail?'],
    ['/login/check-email', 'Check your e-mail'],
  ])('shows %s [RT-02, RT-03, G-01]', async (path, title) => {
    await renderApp(path)
    expect(await heading(title)).toBeTruthy()
  })

  it.each(['/signup', '/forgot-password', '/reset-password', '/verify-email', '/check-email'])(
    'redirects %s to its login page and preserves the query [G-01]',
    async (path) => {
      const { hrefNow } = await renderApp(`${path}?token=007&lang=en`)
      await settled(() => expect(hrefNow()).toBe(`/login${path}?token=007&lang=en`))
    },
  )

  it('switches the language with the lang query parameter [RT-23]', async () => {
    await renderApp('/login?lang=fr')
    expect(await heading('Se connecter')).toBeTruthy()
    expect(document.documentElement.lang || i18next.language).toBe('fr')
  })

  it('ignores an authToken in a link and removes it from the URL', async () => {
    const { hrefNow } = await renderApp('/tools?authToken=somebodys')
    await settled(() => expect(hrefNow()).toBe('/login'))
    expect(getToken()).toBeNull()
  })
})

describe('signed in', () => {
  it('redirects from the login page to the last path [RT-17]', async () => {
    localStorage.setItem('lastPath', '/tools')
    const { hrefNow } = await renderApp('/login', { token: 't' })
    await settled(() => expect(hrefNow()).toBe('/tools'))
  })

  it('redirects from the login page to the chat when there is no last path [RT-17]', async () => {
    const session = aSession({ title: 'First' })
    const answers = aServer(theSession(session))
    const { hrefNow } = await renderApp('/login', { token: 't', answers })
    await settled(() => expect(hrefNow()).toBe(`/chat/${session.id}`))
  })

  it('redirects an unknown path to the last one, or to the root [RT-12, G-74]', async () => {
    localStorage.setItem('lastPath', '/tools/7')
    const { hrefNow } = await renderApp('/nowhere', { token: 't' })
    await settled(() => expect(hrefNow()).toBe('/tools/7'))
  })

  it('explains why a page other than the requested one is shown', async () => {
    await renderApp('/nowhere', { token: 't' })
    expect(await screen.findByText(/no page at the address you opened/)).toBeTruthy()
  })

  it.each(['/admin/unknown'])(
    'says at %s that its view does not exist yet, and remembers the path [SH-22]',
    async (path) => {
      const { hrefNow } = await renderApp(path, { token: 't', answers: superAdmin })
      expect(await screen.findByText('View not implemented yet')).toBeTruthy()
      expect(screen.getByText(/^There is no page at this address/)).toBeTruthy()
      expect(hrefNow()).toBe(path)
      expect(localStorage.getItem('lastPath')).toBe(path)
    },
  )

  it.each([
    ['/assistant', 'Assistants'],
    ['/assistant/create', 'New assistant'],
    ['/assistant/1', 'Buyer'],
    ['/assistant/1/details', 'Buyer'],
    ['/assistant/1/edit', 'Buyer'],
    ['/assistant/1/edit/tools', 'Buyer'],
  ])(
    'shows at %s the list, creation, one assistant, its details or its form [RT-08]',
    async (path, title) => {
      const buyer = {
        name: 'Buyer',
        can_edit: true,
        shares: [],
        version: 1,
        tools: null,
        documents: [],
        workspaces: [],
        example_prompts: [],
      }
      const rest = { system_prompt: '', description: '', agent_type: 'multi_turn', temperature: null }
      const answers = aServer({
        'GET /assistants': () => [],
        'GET /assistants/1': () => ({ id: '1', model_name: null, icon: null, ...buyer, ...rest }),
        'GET /available-models': () => [],
      })
      const { hrefNow } = await renderApp(path, { token: 't', answers })
      expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeTruthy()
      expect(hrefNow()).toBe(path)
      if (path.endsWith('/edit'))
        expect(screen.getByRole('tab', { name: 'Prompts', selected: true })).toBeTruthy()
      if (path.endsWith('/tools'))
        expect(screen.getByRole('tab', { name: 'Tools', selected: true })).toBeTruthy()
      if (path === '/assistant/1')
        expect(screen.getByRole('button', { name: 'Chat with Buyer' })).toBeTruthy()
      if (path.endsWith('/details')) expect(screen.getByText('Way of working')).toBeTruthy()
    },
  )

  it.each(['/', '/chat'])('shows the chat at %s [RT-04, RT-05, RT-27]', async (path) => {
    const session = aSession({ title: 'First' })
    const answers = aServer(theSession(session))
    await renderApp(path, { token: 't', answers })
    expect(await heading('First')).toBeTruthy()
    expect(useCurrentSession.getState().id).toBe(session.id)
  })

  it('makes the session of the address the current one, and remembers it once loaded [RT-26, G-74]', async () => {
    const session = aSession({ title: 'Second' })
    const answers = aServer(theSession(session))
    await renderApp(`/chat/${session.id}`, { token: 't', answers })
    await heading('Second')
    expect(useCurrentSession.getState().id).toBe(session.id)
    await settled(() => expect(localStorage.getItem('lastPath')).toBe(`/chat/${session.id}`))
  })

  it.each([
    [404, 'That chat does not exist. It may have been deleted.'],
    [403, 'That chat is somebody else’s. Ask them to share it with you.'],
  ])(
    'leaves a session that answers %i for the chat, even if it is still listed, and says why [RT-30]',
    async (status, why) => {
      const [gone, other] = [aSession({ title: 'Gone' }), aSession({ title: 'Other' })]
      const refusal = () =>
        [status, { detail: 'No', code: status === 404 ? 'not_found' : 'forbidden' }] as const
      const answers = aServer({
        ...theSession(other),
        'GET /sessions': () => ({ items: [gone, other], total: 2 }),
        [`GET /sessions/${gone.id}`]: refusal,
        [`GET /sessions/${gone.id}/active-branch`]: refusal,
      })
      const { hrefNow } = await renderApp(`/chat/${gone.id}`, { token: 't', answers })
      await settled(() => expect(hrefNow()).toBe(`/chat/${other.id}`))
      expect(await screen.findByText(why)).toBeTruthy()
    },
  )

  it.each([
    ['/user', 'Preferences'],
    ['/user/preferences', 'Preferences'],
    ['/user/security', 'Security'],
    ['/user/billing', 'Billing'],
  ])('shows the user view at %s [RT-11, G-06]', async (path, tab) => {
    await renderApp(path, { token: 't' })
    expect((await screen.findByRole('tab', { name: tab })).getAttribute('aria-selected')).toBe('true')
  })

  it('treats an unknown tab as an unknown path [RT-12]', async () => {
    localStorage.setItem('lastPath', '/tools')
    const { hrefNow } = await renderApp('/user/secrets', { token: 't' })
    await settled(() => expect(hrefNow()).toBe('/tools'))
  })
})

describe('transitions', () => {
  it('play while a reply streams too [SH-18]', async () => {
    const session = aSession({ title: 'Long answer', status: 'GENERATING' })
    const stream = new WrittenStream()
    const task = `GET /sessions/${session.id}/task-stream`
    const answers = aServer({ ...theSession(session), [task]: () => stream.response })
    const played: unknown[] = []
    Object.assign(window, { CSS: { supports: () => true } })
    Object.assign(document, {
      startViewTransition: ({ update, types }: { update: () => Promise<void>; types: string[] }) => {
        played.push(...types)
        return { updateCallbackDone: update() }
      },
    })
    const { router } = await renderApp(`/chat/${session.id}`, { token: 't', answers })
    stream.write(
      anInit(
        aView({
          session_id: session.id,
          content: 'So far',
          blocks: [{ type: 'text', id: 'text-0', text: 'So far' }],
        }),
      ),
    )
    await screen.findByText('So far')
    await act(() => router.navigate({ to: '/tools' }))
    await heading('Tools')
    expect(played).toEqual(['view-forward'])
    Reflect.deleteProperty(document, 'startViewTransition')
  })
})

describe('roles', () => {
  it.each(['/debug', '/admin', '/admin/models'])(
    '%s is an unknown path for others [G-05, SH-06, SH-07]',
    async (path) => {
      localStorage.setItem('lastPath', '/tools')
      const { hrefNow } = await renderApp(path, { token: 't' })
      await settled(() => expect(hrefNow()).toBe('/tools'))
      expect(localStorage.getItem('lastPath')).toBe('/tools')
      expect(await screen.findByText(/for administrators/)).toBeTruthy()
    },
  )

  it('shows the debug view to super admins [SH-06]', async () => {
    const { hrefNow } = await renderApp('/debug', { token: 't', answers: superAdmin })
    expect(await heading('Debug')).toBeTruthy()
    expect(hrefNow()).toBe('/debug')
  })

  it('shows the admin view to company admins, and G-05 not the debug view [SH-07]', async () => {
    const { router, hrefNow } = await renderApp('/admin', { token: 't', answers: companyAdmin })
    expect(await heading('Admin')).toBeTruthy()
    await act(() => router.navigate({ to: '/debug' }))
    await settled(() => expect(hrefNow()).toBe('/admin'))
  })
})

describe('invalid token', () => {
  it('redirects to the login page [RT-20]', async () => {
    const { hrefNow } = await renderApp('/tools', { token: 't' })
    await screen.findByRole('heading', { name: 'Tools', level: 1 })
    act(() => clearToken())
    await settled(() => expect(hrefNow()).toBe('/login'))
  })

  it('redirects to the login page without the popup if it never was valid [RT-13, AU-29]', async () => {
    const answers = aServer({ 'GET /users/me': () => [401, { code: 'unauthenticated', detail: 'no' }] })
    const { hrefNow } = await renderApp('/tools', { token: 'old', answers })
    await settled(() => expect(hrefNow()).toBe('/login'))
    expect(getToken()).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('reports an unreachable server, and continues when it answers', async () => {
    let isUp = false
    const answers = aServer({
      'GET /users/me': () => (isUp ? aUser() : [503, { code: 'unavailable', detail: 'down' }]),
    })
    await renderApp('/tools', { token: 't', answers })
    const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 8000 })
    isUp = true
    act(() => retry.click())
    expect(await screen.findByRole('heading', { name: 'Tools', level: 1 })).toBeTruthy()
  }, 15_000)
})

/** Last, because it imports another router with its own texts and toasts. */
describe('build', () => {
  it('includes the gallery only in development [RT-12]', async () => {
    const knows = (router: { routesByPath: object }) => '/gallery' in router.routesByPath
    expect(knows(createAppRouter())).toBe(true)
    vi.stubEnv('DEV', false)
    vi.resetModules()
    const built = await import('./routes.tsx')
    vi.unstubAllEnvs()
    expect(knows(built.createAppRouter())).toBe(false)
  })
})
