// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { clearToken, setToken } from '../../lib/me/token.ts'
import { ToastHost } from '../../ui/toasts/toast-host.tsx'
import { Markdown } from '../markdown.tsx'

const user = userEvent.setup()
const opened = vi.fn()
let popup = { closed: false, close: vi.fn() }
beforeEach(() => {
  popup = { closed: false, close: vi.fn() }
  opened.mockReset().mockReturnValue(popup)
  window.open = opened
  globalThis.BroadcastChannel ??= class {
    onmessage = null
    close() {}
  } as never
})
afterEach(() => leavePage())

const connected = { 'GET /service-connections/status/google': () => ({ available: true, connected: true }) }
const unconnected = {
  'GET /service-connections/status/google': () => ({ available: true, connected: false }),
}
const EXPORT = 'POST /service-connections/export/google-sheet'
const made = { [EXPORT]: () => ({ sheet_url: 'https://sheets.example/1' }) }

const open = (answers: Answers, text = '| Name | Sum |\n|---|---|\n| **Ada** | =1+1 |\n| Bo | 7 |') =>
  renderPage(
    <>
      <Markdown text={text} />
      <ToastHost />
    </>,
    { answers },
  )
const button = () => screen.findByRole('button', { name: /Google Sheets/ })
const send = async () => user.click(await button())
const said = (text: string) => screen.findByText(text, {}, { timeout: 15_000 })
/** Sends the window's message from a page of an origin. */
const say = (status: string, detail = '', origin = location.origin) =>
  act(() =>
    window.dispatchEvent(
      new MessageEvent('message', { origin, data: { type: 'google-connection', status, detail } }),
    ),
  )
const opensWindow = () => waitFor(() => expect(opened).toHaveBeenCalled())

describe('toolbars of tables and code', () => {
  it('copy, export to files and to Google, and expand a table; copy, save and expand code [EX-01]', async () => {
    await open(connected, '| A |\n|---|\n| 1 |\n\n```js\nlet a\n```')
    await screen.findByRole('button', { name: 'Export table' })
    await button()
    const names = (block: Element) =>
      within(block as HTMLElement)
        .getAllByRole('button')
        .map((one) => one.getAttribute('aria-label'))
    const [table, code] = [...document.querySelectorAll('.md-block')]
    expect(names(table!)).toEqual([
      ...['Export to Google Sheets', 'Export table', 'Expand table', 'Copy table'],
    ])
    expect(names(code!)).toEqual(['Download code', 'Expand code', 'Copy code'])
    await user.click(screen.getByRole('button', { name: 'Expand table' }))
    const large = await screen.findByRole('dialog')
    expect(within(large).getByRole('columnheader', { name: 'A' })).toBeTruthy()
    await user.click(within(large).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('Google sheet of a table', () => {
  it('is not offered where Google is not set up', async () => {
    const { sent } = await open({
      'GET /service-connections/status/google': () => ({ available: false, connected: false }),
    })
    await screen.findByRole('button', { name: 'Export table' })
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(screen.queryByRole('button', { name: /Google Sheets/ })).toBeNull()
  })

  it('is created immediately if Google is connected, and opens in a new tab [EX-07, EX-09]', async () => {
    const { sent } = await open({ ...connected, ...made })
    await send()
    await said('The sheet was made. It opens in a new tab.')
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /service-connections/status/google',
      'GET /service-connections/status/google',
      EXPORT,
    ])
    expect(sent[2]?.body).toEqual({
      table_headers: ['Name', 'Sum'],
      prospects: [
        ['Ada', '=1+1'],
        ['Bo', '7'],
      ],
      sheet_title: `table ${new Date().toISOString().slice(0, 10)}`,
    })
    expect(opened).toHaveBeenCalledExactlyOnceWith('https://sheets.example/1', '_blank', 'noopener')
  })

  it('waits for the window in which Google is connected, and ignores other messages [EX-08]', async () => {
    const { sent } = await open({ ...unconnected, ...made })
    await send()
    await opensWindow()
    expect(opened.mock.calls[0]?.[0]).toBe('/api/v1/service-connections/connect/google?auth_token=test-token')
    say('success', '', 'https://elsewhere.example')
    expect(sent).toHaveLength(2)
    say('success')
    await said('The sheet was made. It opens in a new tab.')
    expect(popup.close).toHaveBeenCalled()
  })

  it('reports that Google was not connected, and why, with a mark on the button [EX-08, EX-11]', async () => {
    const { sent } = await open({ ...unconnected, ...made })
    await send()
    await opensWindow()
    say('error', 'Google was not given leave.')
    await said('Failed to connect to Google. Google was not given leave.')
    expect((await button()).dataset.failed).toBe('true')
    expect((await button()).getAttribute('aria-label')).toContain('Google was not given leave.')
    await send()
    await waitFor(() => expect(opened).toHaveBeenCalledTimes(2))
    popup.closed = true
    await said('Failed to connect to Google. The window was closed before Google was connected.')
    opened.mockReturnValue(null)
    await send()
    await said(
      'Failed to connect to Google. The browser blocked the window. Allow it for this page, and try again.',
    )
    expect(sent.some(({ path }) => path.endsWith('google-sheet'))).toBe(false)
  })

  it('needs a token, and shows the detail of a 401 as a warning [EX-10]', async () => {
    const detail = 'Google is not connected any more. Please connect it again.'
    const { sent } = await open({ ...connected, [EXPORT]: () => [401, { code: 'not_connected', detail }] })
    await send()
    const toast = await said(detail)
    expect(toast.closest('.Toastify__toast')?.className).toContain('warning')
    sent.length = 0
    clearToken()
    await send()
    await said('Authentication error. Please log in again.')
    expect(sent).toEqual([])
    setToken('test-token')
  })

  it.each([
    ['No sheet URL returned from server', () => ({ sheet_url: null })],
    [
      'Error: The Sheets API is off.',
      () => [502, { code: 'provider_failed', detail: 'The Sheets API is off.' }],
    ],
    [
      'The table could not be exported to Google Sheets.',
      () => {
        throw new TypeError('no network')
      },
    ],
  ])('says: %s [EX-11]', async (text, answer) => {
    await open({ ...connected, [EXPORT]: answer as never })
    await send()
    await said(text)
    expect((await button()).dataset.failed).toBe('true')
  })

  it('is stopped by Escape, without a message', async () => {
    const { sent } = await open({ ...unconnected, ...made })
    await send()
    await opensWindow()
    await user.keyboard('{Escape}')
    await waitFor(async () => expect((await button()).getAttribute('aria-busy')).toBeNull())
    expect((await button()).dataset.failed).toBeUndefined()
    expect(popup.close).toHaveBeenCalled()
    expect(sent).toHaveLength(2)
  })
})
