// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const id = '00000000-0000-4000-8000-0000000000c1'
const connector: Connector = {
  ...{
    id,
    source: 'folder',
    name: 'Contracts',
    company_id: null,
    owner_name: 'Ada',
    state: 'ready',
    error: null,
  },
  ...{ settings: { path: '/srv' }, secrets: [], selection: { folders: [], include: [], exclude: [] } },
  ...{ rights: 'named', readers: [], every_minutes: 60, rights_read_at: null, progress: null, removal: null },
  ...{ last_sync_at: '2026-11-30T09:00:00Z', next_sync_at: '2026-11-30T10:00:00Z' },
  ...{ listed: 1210, read: 1204, refused: 6, documents_waiting: 2, documents_failed: 1, bytes: 5_000_000 },
  notifications: 'unreachable',
  ...{ embedding_cost: 0.0042, created_at: '2026-11-01T09:00:00Z' },
}

function open() {
  const one = `/connectors/${id}`
  return renderApp(`/documents/connectors/${id}`, {
    token: 't',
    answers: aServer({
      [`GET ${one}`]: () => connector,
      [`GET ${one}/items`]: () => ({ items: [], total: 0 }),
      'GET /connector-sources': () => ({ items: [] }),
      [`POST ${one}/pause`]: () => ({ ...connector, state: 'paused', next_sync_at: null }),
      [`POST ${one}/sync`]: () => ({ ...connector, state: 'working' }),
      [`POST ${one}/remove`]: () => null,
      'GET /connectors': () => ({ items: [], total: 0 }),
    }),
  })
}

it('shows syncs, items, errors, size and cost, and pauses, syncs and removes [CN-14]', async () => {
  const user = userEvent.setup()
  const page = await open()
  const figures = within(await screen.findByRole('region', { name: 'Counts' }))
  const shownBeside = (name: string) =>
    figures.getByText(name).parentElement?.querySelector('dd')?.textContent
  expect(
    ['In the source', 'Here', 'Not read', 'Being indexed', 'Unreadable', 'Indexing cost'].map(shownBeside),
  ).toEqual(['1,210', '1,204', '6', '2', '1', '$0.0042'])
  expect(shownBeside('Size')).toMatch(/^4\.8\sMB$/)
  expect(figures.getByText(/^Last sync/)).toBeTruthy()
  expect(figures.getByText(/^Next/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  await waitFor(() => expect(page.called(`POST /connectors/${id}/pause`)).toHaveLength(1))
  await user.click(await screen.findByRole('button', { name: /Continue|Sync now/ }))
  await waitFor(() => expect(page.called(`POST /connectors/${id}/sync`)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Delete its documents/ }).checked).toBe(true)
  await user.click(dialog.getAllByRole('radio')[1]!)
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await waitFor(() =>
    expect(page.called(`POST /connectors/${id}/remove`)[0]?.body).toEqual({ documents: 'keep' }),
  )
})
