// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aUser } from '#tests/web/user-builder.ts'
import { PushSetting } from './push-setting.tsx'
import { usePushBrowser } from './use-push-browser.ts'

const KEY = `B${'A'.repeat(86)}`
const subscription = {
  options: { applicationServerKey: null },
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: KEY, auth: 'A'.repeat(22) } }),
  unsubscribe: vi.fn(async () => true),
}
const current = {
  id: '1',
  browser: 'Chrome',
  system: 'Linux',
  current: true,
  created_at: '2026-11-29T10:00:00Z',
}

/** State of a browser that supports notifications. */
let permission: NotificationPermission
let subscribed: typeof subscription | null
let subscribe: ReturnType<typeof vi.fn>
let stored: unknown[]
let browsers: unknown[]

beforeEach(() => {
  permission = 'default'
  subscribed = null
  stored = []
  browsers = []
  subscribe = vi.fn(async () => {
    subscribed = subscription
    return subscription
  })
  const pushManager = { getSubscription: async () => subscribed, subscribe }
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: async () => permission,
  })
  const serviceWorker = Object.assign(new EventTarget(), {
    register: vi.fn(),
    ready: Promise.resolve({ pushManager }),
    getRegistration: async () => ({ pushManager }),
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
})
afterEach(() => {
  leavePage()
  localStorage.clear()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const answers = {
  'GET /users/me': () => aUser({ id: 'me' }),
  'GET /notifications/push': () => ({ public_key: KEY, browsers }),
  'PUT /notifications/push': ({ body }: { body: unknown }) => {
    stored.push(body)
    browsers = [current]
    return current
  },
  'DELETE /notifications/push': () => {
    browsers = []
    return null
  },
}
const render = () => renderPage(<PushSetting />, { answers })
const turnOn = () => screen.findByRole('button', { name: 'Turn on in this browser' })

describe('notifications of this browser', () => {
  it('are turned on with permission and the key of the installation, and off again', async () => {
    permission = 'granted'
    await render()
    await userEvent.click(await turnOn())
    await screen.findByText('This browser shows your notifications.')
    expect(stored).toEqual([subscription.toJSON()])
    const [{ applicationServerKey, userVisibleOnly }] = subscribe.mock.calls[0] as [
      { applicationServerKey: Uint8Array; userVisibleOnly: boolean },
    ]
    expect([applicationServerKey.length, applicationServerKey[0], userVisibleOnly]).toEqual([65, 4, true])
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }))
    await turnOn()
    expect(subscription.unsubscribe).toHaveBeenCalled()
  })

  it('are stored nowhere without permission', async () => {
    await render()
    await userEvent.click(await turnOn())
    await turnOn()
    expect([stored, subscribe.mock.calls]).toEqual([[], []])
  })

  it('say when the push service of the browser cannot be reached', async () => {
    permission = 'granted'
    subscribe.mockRejectedValue(new Error('AbortError'))
    await render()
    await userEvent.click(await turnOn())
    await screen.findByText(/could not reach its push service/)
    expect(stored).toEqual([])
  })

  it.each([
    ['on a page without https', () => vi.stubGlobal('isSecureContext', false), /opened over https/],
    [
      'where the person blocked them',
      () => vi.stubGlobal('Notification', { permission: 'denied' }),
      /blocks notifications/,
    ],
    ['in a browser without them', () => Reflect.deleteProperty(window, 'PushManager'), /cannot show/],
  ])('say why they cannot be turned on %s', async (_, change, text) => {
    change()
    await render()
    await screen.findByText(text)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('of other browsers are listed and turned off', async () => {
    browsers = [{ ...current, current: false }]
    await render()
    await screen.findByText('Chrome, Linux')
    await userEvent.click(screen.getByRole('button', { name: 'Turn off for Chrome, Linux' }))
    await vi.waitFor(() => expect(screen.queryByText('Chrome, Linux')).toBeNull())
    expect(subscription.unsubscribe).not.toHaveBeenCalled()
  })
})

describe('a new sign-in', () => {
  const Probe = () => {
    usePushBrowser()
    return null
  }

  it('renews the subscription of the same person only', async () => {
    permission = 'granted'
    subscribed = subscription
    localStorage.setItem('pushFor', 'somebody else')
    const { sent } = await renderPage(<Probe />, { answers })
    await vi.waitFor(() => expect(sent.map(({ path }) => path)).toContain('/users/me'))
    leavePage()
    expect(stored).toEqual([])
    localStorage.setItem('pushFor', 'me')
    await renderPage(<Probe />, { answers })
    await vi.waitFor(() => expect(stored).toEqual([subscription.toJSON()]))
  })
})
