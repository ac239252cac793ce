import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
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

const lease = aDocument({ name: 'Lease.pdf' })
const offer = aDocument({ name: 'Offer.pdf' })

function open(path: string, more: Answers = {}, all = [lease, offer]) {
  const answers = aServer({
    'GET /documents': ({ query }) => aPage(all, query),
    'GET /documents/months': () => ({ months: [] }),
    'GET /documents/state': () => ({
      ...anEmptyState,
      counts: { ...anEmptyState.counts, total: 40, starred: 9, from_chats: 37 },
    }),
    'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
    ...more,
  })
  return renderApp(path, { token: 't', answers })
}

describe('long library', () => {
  const months = [
    { month: '2026-11', count: 10_000 },
    { month: '2026-10', count: 20_000 },
    { month: '2025-03', count: 20_000 },
  ]
  const many: Answers = {
    'GET /documents/months': () => ({ months }),
    'GET /documents': ({ query }) => {
      const first = (Number(query.get('page')) - 1) * 50
      const items = Array.from({ length: 50 }, (_, at) => aDocument({ name: `File ${first + at}.pdf` }))
      return { items, total: 50_000, page: Number(query.get('page')), has_more: true }
    },
  }

  it('can be navigated by date', async () => {
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(50_000 * 48)
    const scrolled = vi.fn()
    Element.prototype.scrollTo = scrolled as never
    const { called } = await open('/documents?view=list', many)
    const rail = await screen.findByRole('slider', { name: 'Jump to a date' })
    expect(rail.getAttribute('aria-valuetext')).toBe('November 2026')
    expect(rail.textContent).toContain('2025')
    fireEvent.keyDown(rail, { key: 'ArrowDown' })
    await waitFor(() => expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ top: 480_000 })))
    expect(new Set(called('GET /documents').map(({ query }) => query.get('page')))).toEqual(new Set(['1']))
  })

  it('has no date rail in any other order', async () => {
    await open('/documents?view=list&sort=name&order=asc', many)
    await screen.findByRole('link', { name: 'File 0.pdf' })
    expect(screen.queryByRole('slider', { name: 'Jump to a date' })).toBeNull()
  })
})

describe('library filter', () => {
  it('accepts a typed range of days', async () => {
    const { hrefNow, called } = await open('/documents?view=list')
    await user.click(await screen.findByRole('button', { name: 'Added' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Choose dates…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Added between' })
    fireEvent.change(within(dialog).getByLabelText('From'), { target: { value: '2026-03-09' } })
    fireEvent.change(within(dialog).getByLabelText('To'), { target: { value: '2026-03-01' } })
    expect(within(dialog).getByText('This day is before the first one.')).toBeTruthy()
    fireEvent.change(within(dialog).getByLabelText('To'), { target: { value: '2026-03-31' } })
    await user.click(within(dialog).getByRole('button', { name: 'Show' }))
    await waitFor(() => expect(hrefNow()).toContain('from=2026-03-09&to=2026-03-31'))
    const last = () => called('GET /documents').at(-1)?.query
    await waitFor(() => expect(last()?.get('from')).toBe(new Date('2026-03-09T00:00:00').toISOString()))
    expect(last()?.get('to')).toBe(new Date('2026-03-31T23:59:59.999').toISOString())
  })

  it('accepts what a connected source says of its items', async () => {
    const { hrefNow, called } = await open('/documents?view=list&from_chats=true')
    await user.click(await screen.findByRole('button', { name: 'Source: From chats' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Connected source…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Documents from a connected source' }))
    await user.type(dialog.getByLabelText('Owner'), ' Martin ')
    await user.type(dialog.getByLabelText('Folder or path'), 'Legal/Leases')
    await user.type(dialog.getByLabelText('Label'), 'Signed')
    fireEvent.change(dialog.getByLabelText('Changed from'), { target: { value: '2026-03-09' } })
    fireEvent.change(dialog.getByLabelText('Changed until'), { target: { value: '2026-03-01' } })
    expect(dialog.getByText('This day is before the first one.')).toBeTruthy()
    fireEvent.change(dialog.getByLabelText('Changed until'), { target: { value: '2026-03-31' } })
    await user.click(dialog.getByRole('button', { name: 'Show' }))
    await waitFor(() => expect(hrefNow()).toContain('source_owner=Martin'))
    const last = () => Object.fromEntries(called('GET /documents').at(-1)?.query ?? [])
    await waitFor(() =>
      expect(last()).toMatchObject({
        ...{ source_owner: 'Martin', source_path: 'Legal/Leases', source_label: 'Signed' },
        changed_from: new Date('2026-03-09T00:00:00').toISOString(),
        changed_to: new Date('2026-03-31T23:59:59.999').toISOString(),
      }),
    )
    expect(last()).not.toHaveProperty('from_chats')
    expect(screen.getByRole('button', { name: /^Source: Martin · Legal\/Leases · Signed · / })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear filter: Source' }))
    await waitFor(() => expect(hrefNow()).not.toContain('source_'))
  })

  it('is set by the folder and owner in the details of a document', async () => {
    const source = {
      ...{ connector_id: lease.id, connector_name: 'Contracts', path: 'Legal/Leases/Lease.pdf', url: null },
      ...{ owner: 'Chloé Martin', labels: [], changed_at: '2026-03-31T12:00:00Z' },
    }
    const { hrefNow } = await open('/documents?view=list', {}, [{ ...lease, source }])
    await user.click(await screen.findByRole('button', { name: 'More for Lease.pdf' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Lease.pdf' }))
    expect(dialog.getByText('Contracts')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Legal/Leases' })).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Chloé Martin' }))
    await waitFor(() => expect(decodeURIComponent(hrefNow())).toMatch(/source_owner=Chloé[+ ]Martin/))
  })

  it('offers the languages in use', async () => {
    const { hrefNow } = await open('/documents?view=list')
    await user.click(await screen.findByRole('button', { name: 'Language' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      ...['English', 'French'],
    ])
    await user.click(screen.getByRole('menuitem', { name: 'French' }))
    await waitFor(() => expect(hrefNow()).toContain('language=fr'))
  })

  it.each([
    ['workspace', 'Workspace, A to Z', 'sort=workspace&order=asc'],
    ['star', 'Starred first', 'sort=star'],
    ['language', 'Language, A to Z', 'sort=language&order=asc'],
    ['type', 'Type, A to Z', 'sort=type&order=asc'],
    ['size', 'Smallest first', 'sort=size&order=asc'],
  ])('is sorted by %s', async (sort, label, address) => {
    const { hrefNow, called } = await open('/documents')
    await user.click(await screen.findByRole('button', { name: 'Sort: Newest first' }))
    await user.click(await screen.findByRole('menuitem', { name: label }))
    await waitFor(() => expect(hrefNow()).toContain(address))
    await waitFor(() => expect(called('GET /documents').at(-1)?.query.get('sort')).toBe(sort))
  })

  it('selects recent, starred or chat documents in the sidebar, with their numbers', async () => {
    const { hrefNow, called } = await open('/documents?view=list')
    const chats = await screen.findByRole('link', { name: /From chats/ })
    await waitFor(() => expect(chats.textContent).toContain('37'))
    await user.click(chats)
    await waitFor(() => expect(called('GET /documents').at(-1)?.query.get('from_chats')).toBe('true'))
    expect(chats.getAttribute('aria-current')).toBe('page')
    await user.click(screen.getByRole('link', { name: /Recent/ }))
    await waitFor(() => expect(hrefNow()).toMatch(/from=20\d\d-\d\d-\d\d/))
    expect(chats.getAttribute('aria-current')).toBeNull()
  })
})

describe('documents of the library', () => {
  it('are reprocessed together with another pipeline', async () => {
    const { called } = await open('/documents?view=list', {
      [`POST /documents/${lease.id}/reprocess`]: () => lease,
      [`POST /documents/${offer.id}/reprocess`]: () => [409, { code: 'conflict', detail: '' }],
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Lease.pdf' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Offer.pdf' }))
    const bar = screen.getByRole('toolbar', { name: 'Selected documents' })
    await user.click(within(bar).getByRole('button', { name: 'Read again' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Thorough' }))
    await screen.findByText(/^1 document is read again\. 1 document could not be read again\./)
    expect(called(`POST /documents/${lease.id}/reprocess`)[0]?.body).toEqual({ pipeline: 'improved' })
    expect(called(`POST /documents/${offer.id}/reprocess`)).toHaveLength(1)
  })

  it('show their first page once loaded, with a single request', async () => {
    globalThis.URL.createObjectURL = () => 'blob:page'
    globalThis.URL.revokeObjectURL = () => undefined
    const scan = aDocument({ name: 'Scan.pdf' })
    scan.doc_metadata.files = ['thumb.webp']
    const { called } = await open(
      '/documents',
      { [`GET /documents/${scan.id}/files/thumb.webp`]: () => new Response('webp') },
      [scan, offer],
    )
    const card = (await screen.findByRole('link', { name: 'Scan.pdf' })).closest('article') as HTMLElement
    await waitFor(() => expect(card.querySelector('img')?.getAttribute('src')).toBe('blob:page'))
    const other = screen.getByRole('link', { name: 'Offer.pdf' }).closest('article') as HTMLElement
    expect(other.querySelector('img')).toBeNull()
    expect(called(`GET /documents/${scan.id}/files/thumb.webp`)).toHaveLength(1)
  })
})

describe('search in contents', () => {
  const SEARCH = 'POST /search_and_rerank/search_and_rerank'
  const aHit = (id: string, document_id: string, file_name: string, text: string) => ({
    ...{ id, score: 1, distance: null, certainty: null, keyword_score: 2, rerank_score: null, found_rank: 1 },
    content: text,
    properties: {
      ...{ document_id, file_name, file_type: 'pdf', chunk_type: 'text', title: '', text, page_number: 3 },
      ...{ heading_path: ['Duration'], place: {} },
    },
  })
  const found = (objects: unknown[]) => ({
    [SEARCH]: () => ({
      ...{ objects, search_type: 'keyword', documents: 2 },
      reranking: {
        ...{ status: 'off', reranker: null, detail: null, skipped_because: null, instead_of: null },
        ...{ original_count: objects.length, reranked_count: objects.length },
      },
    }),
  })
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  const hits = [
    aHit(first, lease.id, 'Lease.pdf', 'The notice period is three months.'),
    aHit(second, lease.id, 'Lease.pdf', 'Notice is given in writing.'),
  ]

  it('shows the best passage of each document if no name fits, and opens it at the passage', async () => {
    const { called } = await open('/documents?q=notice', found(hits), [])
    const link = await screen.findByRole('link', { name: 'Lease.pdf' })
    const section = screen.getByRole('region', { name: 'Found in contents' })
    expect(within(section).getAllByRole('listitem')).toHaveLength(1)
    expect(within(section).getByText('notice', { selector: 'mark' })).toBeTruthy()
    expect(link.getAttribute('href')).toBe(`/documents/preview/${lease.id}?chunk=${first}`)
    expect(called(SEARCH)[0]?.body).toMatchObject({ query: 'notice', use_bm25: true, hybrid_search: false })
    expect(screen.queryByText('No document matches')).toBeNull()
  })

  it('is one line above the names that fit, which opens on request', async () => {
    await open('/documents?q=lease', found(hits))
    const line = await screen.findByRole('button', { name: '1 document contains these words' })
    const section = screen.getByRole('region', { name: 'Found in contents' })
    expect(within(section).queryByRole('listitem')).toBeNull()
    await user.click(line)
    expect(within(section).getByRole('listitem').textContent).toContain('page 3 · Duration')
  })

  it('says that neither names nor contents match', async () => {
    await open('/documents?q=notice', found([]), [])
    expect(await screen.findByText('No document matches')).toBeTruthy()
  })

  it('is left out with other filters, and if this search is closed', async () => {
    const { called } = await open('/documents?q=notice&starred=true', found(hits), [])
    expect(await screen.findByText('No document matches')).toBeTruthy()
    expect(called(SEARCH)).toEqual([])
    leaveApp()
    prepareBrowser()
    await open('/documents?q=notice', { [SEARCH]: () => [403, { code: 'forbidden', detail: '' }] }, [])
    expect(await screen.findByText('No document matches')).toBeTruthy()
  })
})
