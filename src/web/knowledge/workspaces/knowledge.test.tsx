import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { type Answers, leavePage, renderPage, type Sent } from '#tests/web/render-page.tsx'
import { KnowledgeSection } from './knowledge-section.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  leavePage()
})

const session = crypto.randomUUID()
const aWorkspace = (name: string, more: Partial<Workspace> = {}): Workspace => ({
  ...{ id: crypto.randomUUID(), name, description: null, is_default: false, document_count: 3 },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  ...more,
})
const own = aWorkspace('My documents', { is_default: true })
const leases = aWorkspace('Leases')
const offers = aWorkspace('Offers')

const aPage = (items: Workspace[], { total = items.length, page = 1, has_more = false } = {}) => ({
  ...{ items, total, page, has_more },
})

async function show(more: Answers = {}) {
  const answers: Answers = {
    'GET /workspaces': ({ query }) =>
      query.has('chat_session_id') ? aPage([leases]) : aPage([own, leases, offers]),
    [`GET /sessions/${session}`]: () => ({ id: session, title: 'The lease in Lyon', documents: [] }),
    ...more,
  }
  const shown = await renderPage(
    <div data-testid="scroller" style={{ overflowY: 'auto' }}>
      <KnowledgeSection sessionId={session} />
    </div>,
    { path: `/chat/${session}`, answers },
  )
  await screen.findByText('Offers')
  return shown
}

const asked = (sent: Sent[], method: string, path: string) =>
  sent.filter((one) => one.method === method && one.path === path)
const rowOf = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement)

describe('knowledge section', () => {
  it('shows the workspaces, linked ones first [SH-17]', async () => {
    await show()
    const names = screen.getAllByRole('listitem').map((row) => within(row).getByRole('switch'))
    expect(names.map((one) => [one.getAttribute('aria-label'), one.getAttribute('aria-checked')])).toEqual([
      ['Link Leases to this chat', 'true'],
      ['Link My documents to this chat', 'false'],
      ['Link Offers to this chat', 'false'],
    ])
  })

  it('loads 50 at a time, and more within 50 pixels of the bottom [WS-02]', async () => {
    const many = Array.from({ length: 50 }, (_, at) => aWorkspace(`Lot ${at}`))
    const { sent } = await show({
      'GET /workspaces': ({ query }) => {
        if (query.has('chat_session_id')) return aPage([])
        const isFirst = query.get('page') === '1'
        return aPage(isFirst ? [offers, ...many.slice(1)] : [leases], {
          ...{ total: 51, page: isFirst ? 1 : 2, has_more: isFirst },
        })
      },
    })
    const scroller = screen.getByTestId('scroller')
    const measure = (name: 'scrollHeight' | 'clientHeight', value: number) =>
      Object.defineProperty(scroller, name, { configurable: true, value })
    measure('scrollHeight', 1000)
    measure('clientHeight', 300)
    const pages = () => asked(sent, 'GET', '/workspaces').filter(({ query }) => query.get('page') === '2')
    scroller.scrollTop = 649
    fireEvent.scroll(scroller)
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
    expect(pages()).toHaveLength(0)
    scroller.scrollTop = 650
    fireEvent.scroll(scroller)
    await screen.findByText('Leases')
    expect(pages()).toHaveLength(1)
    expect(
      asked(sent, 'GET', '/workspaces').every(({ query }) => [null, '50'].includes(query.get('limit'))),
    ).toBe(true)
  })

  it('is refreshed every 5 seconds [WS-03]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { sent } = await show()
    const before = asked(sent, 'GET', '/workspaces').length
    await act(() => vi.advanceTimersByTimeAsync(4_500))
    expect(asked(sent, 'GET', '/workspaces').length).toBe(before)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(asked(sent, 'GET', '/workspaces').length).toBeGreaterThan(before)
  })

  it('creates a workspace that names the chat in its description and is linked to it [WS-06]', async () => {
    const user = userEvent.setup()
    const { sent } = await show({ 'POST /workspaces': () => aWorkspace('Permits') })
    await user.click(screen.getByRole('button', { name: 'New workspace' }))
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '  Permits {Enter}')
    await waitFor(() => expect(asked(sent, 'POST', '/workspaces')).toHaveLength(1))
    expect(asked(sent, 'POST', '/workspaces')[0]?.body).toEqual({
      ...{ name: 'Permits', chat_session_id: session },
      description: expect.stringContaining('The lease in Lyon'),
    })
  })

  it('renames a workspace by name only, and deletes it, from the menu of its row [WS-07, SH-27]', async () => {
    const user = userEvent.setup()
    const { sent } = await show({
      [`PUT /workspaces/${offers.id}`]: () => ({ ...offers, name: 'Bids' }),
      [`DELETE /workspaces/${offers.id}`]: () => ({ message: 'Deleted' }),
    })
    fireEvent.contextMenu(screen.getByText('Offers'))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const field = screen.getByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'Bids{Enter}')
    await waitFor(() =>
      expect(asked(sent, 'PUT', `/workspaces/${offers.id}`)[0]?.body).toEqual({ name: 'Bids' }),
    )
    fireEvent.contextMenu(await screen.findByText('Offers'))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(asked(sent, 'DELETE', `/workspaces/${offers.id}`)).toHaveLength(1))
  })

  it('cannot rename or delete the default one [WS-08]', async () => {
    const user = userEvent.setup()
    await show()
    await user.click(rowOf('My documents').getByRole('button', { name: /My documents/ }))
    const entries = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(entries).toEqual(['Open in documents'])
  })

  it('links and unlinks a workspace', async () => {
    const user = userEvent.setup()
    const { sent } = await show({
      [`POST /sessions/${session}/workspaces/${offers.id}`]: () => ({ message: 'Linked' }),
      [`DELETE /sessions/${session}/workspaces/${leases.id}`]: () => ({ message: 'Unlinked' }),
    })
    await user.click(screen.getByRole('switch', { name: 'Link Offers to this chat' }))
    await user.click(screen.getByRole('switch', { name: 'Link Leases to this chat' }))
    await waitFor(() =>
      expect(asked(sent, 'DELETE', `/sessions/${session}/workspaces/${leases.id}`)).toHaveLength(1),
    )
    expect(asked(sent, 'POST', `/sessions/${session}/workspaces/${offers.id}`)).toHaveLength(1)
  })
})
