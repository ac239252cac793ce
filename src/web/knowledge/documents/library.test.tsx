import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  // The list renders what fits, but jsdom has no heights.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000)
})
afterEach(() => {
  vi.restoreAllMocks()
  leaveApp()
})

const contract = aDocument({ name: 'Contract Kessler.pdf', is_starred: true, tags: ['Legal'] })
const lease = aDocument({
  name: 'Lease.docx',
  status: 'in_progress',
  current_phase: 'PARSING',
  progress: { done: 31, total: 52, seconds_left: 80 },
})
const broken = aDocument({
  ...{ name: 'Broken.pdf', status: 'failed', current_phase: 'PARSING' },
  error_message: 'A password is needed.',
})
const personal = {
  ...{ id: crypto.randomUUID(), name: 'Personal', description: null, is_default: true, document_count: 1 },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}
const real = {
  ...personal,
  id: crypto.randomUUID(),
  name: 'Real estate',
  is_default: false,
  document_count: 7,
}

function open(
  path = '/documents?view=list',
  more: Answers = {},
  language: 'en' | 'fr' = 'en',
  all = [contract, lease, broken],
) {
  const answers = aServer(
    {
      'GET /documents': ({ query }) => aPage(all, query),
      'GET /documents/state': () => ({
        ...anEmptyState,
        counts: { ...anEmptyState.counts, total: all.length },
      }),
      'GET /workspaces': () => ({ items: [personal, real], total: 2, has_more: false, page: 1 }),
      [`GET /workspaces/${real.id}`]: () => real,
      [`GET /documents/workspace/${real.id}/documents`]: ({ query }) => aPage(all, query),
      ...more,
    },
    aUser({ language }),
  )
  return renderApp(path, { token: 't', answers, language })
}
const card = async (name: string) =>
  (await screen.findByRole('link', { name })).closest('article') as HTMLElement

describe('document library', () => {
  it.each(['default', 'list', 'compact', 'icon'])('shows its documents as %s', async (view) => {
    await open(`/documents?view=${view}`)
    const link = within(await card('Contract Kessler.pdf')).getByRole('link', {
      name: 'Contract Kessler.pdf',
    })
    expect(link.getAttribute('href')).toBe(`/documents/preview/${contract.id}`)
    expect(screen.getByRole('checkbox', { name: 'Select Lease.docx' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'More for Lease.docx' })).toBeTruthy()
    const progress = within(await card('Lease.docx')).getByRole('progressbar')
    expect(progress.getAttribute('aria-valuenow')).toBe('25')
    expect(progress.getAttribute('aria-valuetext')).toBe('Parsing, 31 of 52, about 1 min left')
  })

  it('has a separate library per workspace, whose documents open inside it [RT-07]', async () => {
    const path = `/documents/workspace/${real.id}`
    const { hrefNow } = await open(path, { [`GET /documents/${contract.id}`]: () => contract })
    expect(await screen.findByRole('heading', { level: 1, name: 'Real estate' })).toBeTruthy()
    await user.click(within(await card('Contract Kessler.pdf')).getByRole('link'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Contract Kessler.pdf' })).toBeTruthy()
    expect(hrefNow()).toBe(`${path}/preview/${contract.id}`)
    await user.click(screen.getByRole('button', { name: 'Close the document' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Real estate' })).toBeTruthy()
  })

  it('loads only the visible pages of 50,000 documents', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => at)
    const { called } = await open('/documents?view=list', {
      'GET /documents': ({ query }) => {
        const first = (Number(query.get('page')) - 1) * 50
        const items = many.slice(first, first + 50).map((at) => aDocument({ name: `File ${at}.pdf` }))
        return { items, total: many.length, page: 1, has_more: true }
      },
    })
    await card('File 0.pdf')
    expect(screen.getByRole('list', { name: 'All documents' }).children.length).toBeLessThan(40)
    const pages = called('GET /documents').map(({ query }) => query.get('page'))
    expect(new Set(pages)).toEqual(new Set(['1']))
    expect(called('GET /documents').every(({ query }) => Number(query.get('limit') ?? 50) <= 50)).toBe(true)
  })

  it('stores search, filters and order in the address, and sends them to the server', async () => {
    const { hrefNow, called } = await open()
    await card('Lease.docx')
    await user.type(
      screen.getAllByRole('searchbox', { name: 'Search names and contents' })[0] as HTMLElement,
      'kes',
    )
    await waitFor(() => expect(hrefNow()).toContain('q=kes'))
    await user.click(screen.getByRole('button', { name: 'Type' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Office files' }))
    await user.click(screen.getByRole('button', { name: 'Starred' }))
    await user.click(screen.getByRole('button', { name: 'Sort: Largest first' }))
    await waitFor(() => {
      expect(hrefNow()).toMatch(/q=kes.*type=office.*starred=true.*sort=size/)
      const last = called('GET /documents').findLast(({ query }) => query.get('page') === '1')?.query
      expect(Object.fromEntries(last ?? [])).toMatchObject({
        ...{ q: 'kes', type: 'office', starred: 'true', sort: 'size', order: 'desc' },
      })
    })
    await user.click(screen.getByRole('button', { name: 'Clear filter: Type' }))
    await waitFor(() => expect(hrefNow()).not.toContain('type='))
  })

  it('stars immediately, and reverts if the server refuses', async () => {
    let isRefused = true
    const { called } = await open(undefined, {
      [`PATCH /documents/${lease.id}`]: () => (isRefused ? [500, {}] : { ...lease, is_starred: true }),
    })
    const star = within(await card('Lease.docx')).getByRole('button', { name: 'Star Lease.docx' })
    await user.click(star)
    await waitFor(() => expect(called(`PATCH /documents/${lease.id}`)[0]?.body).toEqual({ is_starred: true }))
    await waitFor(() => expect(star.getAttribute('aria-pressed')).toBe('false'))
    isRefused = false
    await user.click(star)
    await waitFor(() => expect(called(`PATCH /documents/${lease.id}`)).toHaveLength(2))
  })

  it('deletes the selected documents, or only removes them from a workspace [DO-09]', async () => {
    const deletions: string[] = []
    const deleting = (id: string): Answers => ({
      [`DELETE /documents/${id}`]: ({ query }) => {
        deletions.push(`${id} ${query.get('workspace_id')}`)
        return new Response(null, { status: 204 })
      },
    })
    const all = { ...deleting(contract.id), ...deleting(lease.id) }
    await open(`/documents/workspace/${real.id}?view=list`, all)
    await user.click(await screen.findByRole('checkbox', { name: 'Select Contract Kessler.pdf' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Lease.docx' }))
    const bar = screen.getByRole('toolbar', { name: 'Selected documents' })
    expect(within(bar).getByRole('status').textContent).toBe('2 selected')
    await user.click(within(bar).getByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove 2 documents from Real estate?' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(deletions).toEqual([contract, lease].map(({ id }) => `${id} ${real.id}`)))
    await screen.findByText('2 documents were removed.')
    expect(screen.queryByRole('toolbar', { name: 'Selected documents' })).toBeNull()
  })

  it.each([
    [true, 'Contract Kessler.pdf was saved.'],
    [false, 'Contract Kessler.pdf could not be downloaded.'],
  ])('saves the original file (%s) and says: %s', async (isThere, words) => {
    globalThis.URL.createObjectURL = () => 'blob:1'
    await open(undefined, {
      [`GET /documents/${contract.id}/content`]: () => (isThere ? new Response('bytes') : [404, {}]),
    })
    await user.click(await screen.findByRole('button', { name: 'More for Contract Kessler.pdf' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Download' }))
    await screen.findByText(words)
  })

  it('says why a document failed, and retries it', async () => {
    const { called } = await open(undefined, { [`POST /documents/${broken.id}/retry`]: () => broken })
    const row = await card('Broken.pdf')
    expect(row.textContent).toContain('A password is needed.')
    await user.click(within(row).getByRole('button', { name: 'Retry Broken.pdf' }))
    await waitFor(() => expect(called(`POST /documents/${broken.id}/retry`)).toHaveLength(1))
  })

  it('explains an empty library, reports no matches, and reports a failed request', async () => {
    await open('/documents', {}, 'en', [])
    await screen.findByRole('heading', { name: 'Bring your documents' })
    leaveApp()
    await open('/documents?q=zzz', {}, 'en', [])
    await screen.findByText('No document matches')
    leaveApp()
    await open('/documents', { 'GET /documents': () => [403, { code: 'forbidden', detail: '' }] })
    expect((await screen.findByRole('alert')).textContent).toContain('The documents could not be loaded.')
  })

  it('speaks French', async () => {
    await open('/documents?view=list', {}, 'fr')
    await screen.findByRole('heading', { name: 'Tous les documents' })
    expect((await card('Contract Kessler.pdf')).textContent).toContain('2,1\u00a0Mo')
  })

  it('reports an unknown workspace', async () => {
    await open(`/documents/workspace/${crypto.randomUUID()}`)
    await screen.findByRole('heading', { name: 'This workspace is not there' })
  })
})

describe('sidebar of the library', () => {
  it('links workspaces, creates one, and renames one', async () => {
    const made = { ...real, id: crypto.randomUUID(), name: 'Legal' }
    const { called, hrefNow } = await open(undefined, {
      'POST /workspaces': () => [201, made],
      [`PUT /workspaces/${real.id}`]: () => real,
      [`GET /workspaces/${made.id}`]: () => made,
    })
    const section = await screen.findByRole('region', { name: 'Workspaces' })
    expect((await within(section).findByRole('link', { name: /Real estate/ })).textContent).toContain('7')
    expect(within(section).queryByRole('button', { name: 'More for Personal' })).toBeNull()
    await user.click(within(section).getByRole('button', { name: 'More for Real estate' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    await user.type(within(section).getByRole('textbox', { name: 'Name' }), ' 2027{Enter}')
    await waitFor(() =>
      expect(called(`PUT /workspaces/${real.id}`)[0]?.body).toEqual({ name: 'Real estate 2027' }),
    )
    await user.click(within(section).getByRole('button', { name: 'New workspace' }))
    const field = within(section).getByRole('textbox', { name: 'Name' })
    await user.type(field, '   {Enter}')
    await within(section).findByText('Give the workspace a name.')
    await user.type(field, ' Legal {Enter}')
    await waitFor(() => expect(called('POST /workspaces')[0]?.body).toEqual({ name: 'Legal' }))
    await waitFor(() => expect(hrefNow()).toBe(`/documents/workspace/${made.id}`))
  })

  it('is replaced by the chats while they are searched', async () => {
    await open()
    await screen.findByRole('region', { name: 'Workspaces' })
    await user.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
    await screen.findByRole('region', { name: 'Chats' })
  })
})
