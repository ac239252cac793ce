import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aMap } from '#tests/web/map-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { closeChatPanel } from '../../platform/lib/chat-panel.ts'

beforeEach(() => prepareBrowser())
afterEach(() => {
  leaveApp()
  closeChatPanel()
})

/** The server's branches: a question with two answers, the first of which continues. */
const written = ['q1', 'a1 < q1', 'q2 < a1', 'a2 < q2', 'b1 < q1']
const pages: Record<string, string[]> = { b1: ['q1', 'b1'], a2: ['q1', 'a1', 'q2', 'a2'] }

async function openMap({ map = () => answer(written) as unknown, find = aSearch } = {}) {
  const session = aSession({ title: 'Prices' })
  const base = `/sessions/${session.id}`
  const app = await renderApp(`/chat/${session.id}`, {
    token: 't',
    answers: aServer({
      ...theSession(session),
      'GET /sessions': () => ({ items: [session], total: 1 }),
      'GET /available-models': () => [],
      'GET /tools': () => [],
      [`GET ${base}/active-branch`]: () => page(session.id, 'b1'),
      [`GET ${base}/tree`]: map,
      [`GET ${base}/tree/search`]: find,
      [`POST ${base}/navigate/a2`]: () => page(session.id, 'a2'),
    }),
  })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Branch 2 of 2' }))
  return { ...app, user, panel: await screen.findByRole('complementary', { name: 'Branch map' }), base }
}

type Asked = { query: URLSearchParams }

/** Searches for messages with a text that begins with the words. */
function aSearch({ query }: Asked): unknown {
  const all = written.map((line) => line.split(' < ')[0] ?? '')
  const hits = all.filter((id) => `Text of ${id}`.includes(query.get('q') ?? ''))
  const skip = Number(query.get('skip'))
  return {
    items: hits.slice(skip, skip + 2).map((id) => ({
      ...{ message_id: id, role: id.startsWith('q') ? 'user' : 'assistant', model_name: 'openai/gpt-4o' },
      ...{ match: `\uE000Text\uE001 of ${id}`, branch_number: id === 'b1' ? 2 : 1, is_active: id === 'b1' },
      created_at: '2026-01-01T00:00:00Z',
    })),
    total: hits.length,
  }
}

const answer = (lines: string[]) => ({ messages: aMap(...lines), active_leaf: 'b1' })

function page(sessionId: string, leaf: 'a2' | 'b1') {
  const parents = new Map(written.map((line) => line.split(' < ') as [string, string | undefined]))
  const active_branch = (pages[leaf] ?? []).map((id) => ({
    ...{ id, client_id: null, chat_session_id: sessionId, parent_id: parents.get(id) ?? null },
    ...{ role: id.startsWith('q') ? 'user' : 'assistant', agent_type: null, model_name: null },
    ...{ content: `Text of ${id}`, blocks: [], status: 'completed', is_modified: false, metadata: {} },
    created_at: '2026-01-01T00:00:00Z',
  }))
  return {
    ...{
      active_branch,
      branch_id: leaf,
      total: active_branch.length,
      start: 0,
      has_more: false,
      branch_count: 2,
    },
    ...{ forks: [], links: [], branch_number: leaf === 'b1' ? 2 : 1 },
  }
}

const items = () => screen.getAllByRole('treeitem').map(({ textContent }) => textContent)
const current = () => {
  const tree = screen.getByRole('tree', { name: 'Branch map' })
  return document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent
}

describe('branch map', { timeout: 30_000 }, () => {
  it('shows every branch, the current one, and their number [SV-93, BR-15]', async () => {
    const { panel } = await openMap()
    await screen.findByRole('tree')
    expect(items().map((text) => text?.match(/Text of ([qab]\d)/)?.[1])).toEqual([
      'q1',
      'a1',
      'q2',
      'a2',
      'b1',
    ])
    expect(panel.textContent).toContain('5 messages, 2 branches')
    expect(screen.getByRole('treeitem', { current: true }).textContent).toContain('2 / 2')
    expect(screen.getByRole('treeitem', { current: true }).textContent).toContain('you are here')
  })

  it('works by keyboard alone, and only Enter navigates [BR-15]', async () => {
    const { user, called, base } = await openMap()
    await screen.findByRole('tree')
    expect(document.activeElement).toBe(screen.getByRole('tree'))
    expect(current()).toContain('Text of b1')
    await user.keyboard('{ArrowLeft}')
    expect(current()).toContain('Text of a1')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(current()).toContain('Text of a2')
    expect(called(`POST ${base}/navigate/a2`)).toHaveLength(0)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('treeitem', { current: true }).textContent).toContain('a2'))
    expect(called(`POST ${base}/navigate/a2`)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Branch 1 of 2' })).toBeTruthy()
    expect(document.activeElement?.getAttribute('data-message')).toBe('a2')
    screen.getByRole('tree').focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('tree')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Branch 1 of 2' }))
  })

  it('scrolls to a message of the current branch without a call, and marks it briefly [BR-06, BR-15]', async () => {
    const { user, called, base } = await openMap()
    await screen.findByRole('tree')
    await user.keyboard('{ArrowUp}{Enter}')
    const row = document.querySelector('[data-message="q1"]')
    expect(document.activeElement).toBe(row)
    expect(row?.hasAttribute('data-target')).toBe(true)
    await waitFor(() => expect(row?.hasAttribute('data-target')).toBe(false), { timeout: 4000 })
    expect(document.activeElement).toBe(row)
    expect(called(`POST ${base}/navigate/q1`)).toHaveLength(0)
  })

  it('expands a fold in place [BR-15]', async () => {
    const long = Array.from({ length: 10 }, (_, at) => (at ? `m${at} < m${at - 1}` : 'm0 < b1'))
    const { user } = await openMap({ map: () => answer([...written, ...long]) })
    await user.click(await screen.findByText('9 more messages'))
    expect(items().filter((text) => text?.includes('Text of m'))).toHaveLength(10)
    expect(screen.queryByText('9 more messages')).toBeNull()
  })

  it('finds words on every branch by keyboard alone, and Enter opens the hit in place [SV-93]', async () => {
    const { user, called, base } = await openMap()
    await screen.findByRole('tree')
    await user.click(screen.getByRole('button', { name: 'Find in branches' }))
    const field = await screen.findByRole('combobox', { name: 'Find in branches' })
    expect(document.activeElement).toBe(field)
    await user.keyboard('Text')
    const hits = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
    await waitFor(() => expect(hits()).toHaveLength(5), { timeout: 15_000 })
    expect(called(`GET ${base}/tree/search`)).toHaveLength(3)
    expect(hits()[0]).toMatch(/^You · Branch 1.*Text of q1$/)
    expect(hits()[4]).toMatch(/^gpt-4o · Branch 2.*Text of b1$/)
    expect(screen.getByText('5 messages')).toBeTruthy()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    const chosen = screen.getByRole('option', { selected: true })
    expect(chosen.textContent).toContain('a2')
    expect(field.getAttribute('aria-activedescendant')).toBe(chosen.id)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement?.getAttribute('data-message')).toBe('a2'))
    expect(called(`POST ${base}/navigate/a2`)).toHaveLength(1)
    field.focus()
    await user.keyboard('{Escape}')
    expect(await screen.findByRole('tree')).toBeTruthy()
  })

  it('says that nothing was found, and that a search failed [SV-93]', async () => {
    const { user } = await openMap({
      find: (sent) => (sent.query.get('q') === 'broken' ? [500, { detail: '' }] : aSearch(sent)),
    })
    await user.click(await screen.findByRole('button', { name: 'Find in branches' }))
    await user.keyboard('nowhere')
    expect(await screen.findByText('Nothing found for “nowhere”', {}, { timeout: 15_000 })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await user.keyboard('broken')
    expect(await screen.findByText('The search did not work.', {}, { timeout: 15_000 })).toBeTruthy()
  })

  it('says that it could not be loaded, and retries [SV-93]', async () => {
    let isBroken = true
    const { user } = await openMap({ map: () => (isBroken ? [500, { detail: '' }] : answer(written)) })
    await screen.findByText('The branch map could not be loaded.')
    isBroken = false
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('tree')).toBeTruthy()
  })

  it('explains its purpose in an empty chat [SV-93]', async () => {
    await openMap({ map: () => ({ messages: [], active_leaf: null }) })
    expect(await screen.findByText(/There are no messages yet/)).toBeTruthy()
  })
})
