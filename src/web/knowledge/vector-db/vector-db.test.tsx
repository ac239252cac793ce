import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { anObject, collection, overlayOf } from '#tests/web/document-debug-builder.tsx'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { getToken } from '../../platform/lib/me/token.ts'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const document_ = aDocument({ name: 'Lease.txt' })
const { openTab } = overlayOf(document_, {
  'GET /documents': ({ query }) => aPage([document_], query),
  'GET /documents/state': () => anEmptyState,
})

const openDb = (more: Answers = {}) => openTab('Vector DB', more)
const two = [anObject('one', 'The rent'), anObject('two', 'The term')]
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled

describe('vector database', () => {
  it('lists the collections with their numbers of objects [VD-01]', async () => {
    await openDb({
      'GET /vector_db/collections': () => ({
        collections: [collection, { ...collection, name: 'Trials', object_count: 1234, is_library: false }],
      }),
    })
    const list = await screen.findByRole('list', { name: 'Collections' })
    const rows = within(list).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Documents.*2$/),
      expect.stringMatching(/^Trials.*1,234$/),
    ])
  })

  it('opens an object as fields or as raw JSON [VD-02]', async () => {
    await openDb()
    await user.click(await screen.findByRole('button', { name: 'Open object one' }))
    expect(screen.getByText('file_name')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Raw JSON' }))
    expect(screen.getByText(/"uuid": "one"/)).toBeTruthy()
    expect(screen.queryByText('file_name')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Formatted' }))
    expect(screen.getByText('file_name')).toBeTruthy()
  })

  it('filters the loaded objects without a request [VD-06]', async () => {
    const { called } = await openDb({
      'POST /vector_db/objects': () => ({ objects: two, next_cursor: null }),
    })
    await screen.findByRole('button', { name: 'Open object two' })
    const before = called('POST /vector_db/objects').length
    await user.type(screen.getByRole('searchbox', { name: 'Search the loaded objects' }), 'term')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Open object one' })).toBeNull())
    expect(screen.getByRole('button', { name: 'Open object two' })).toBeTruthy()
    expect(called('POST /vector_db/objects')).toHaveLength(before)
  })

  it('loads 10 objects at a time, or 1 to 100 as configured; an empty limit is 10 [VD-07]', async () => {
    const { called } = await openDb()
    const limit = (await screen.findByRole('spinbutton', { name: 'Limit' })) as HTMLInputElement
    expect([limit.value, limit.min, limit.max]).toEqual(['10', '1', '100'])
    const asked = () => called('POST /vector_db/objects').map(({ body }) => (body as { limit: number }).limit)
    await waitFor(() => expect(asked()).toEqual([10]))
    await user.clear(limit)
    await user.type(limit, '500')
    await user.tab()
    expect(limit.value).toBe('100')
    await waitFor(() => expect(asked()).toContain(100))
    expect(Math.max(...asked())).toBe(100)
    await user.clear(limit)
    await user.tab()
    expect(limit.value).toBe('10')
  })

  it('loads more from the cursor [VD-08]', async () => {
    const { called } = await openDb({
      'POST /vector_db/objects': ({ body }) =>
        (body as { after: string | null }).after === 'cursor'
          ? { objects: [two[1]], next_cursor: null }
          : { objects: [two[0]], next_cursor: 'cursor' },
    })
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    await screen.findByRole('button', { name: 'Open object two' })
    expect(screen.getByRole('button', { name: 'Open object one' })).toBeTruthy()
    expect(called('POST /vector_db/objects').at(-1)?.body).toMatchObject({ after: 'cursor' })
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('keeps both buttons of a deletion while it runs, then shows success and closes [VD-09]', async () => {
    let finish = () => {}
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    await openDb({
      'DELETE /vector_db/chunks': async () => {
        await done
        return { status: 'success', message: 'Chunk deleted' }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Delete object one' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete this chunk?' })
    const [cancel, confirm] = ['Cancel', 'Delete'].map((name) => within(dialog).getByRole('button', { name }))
    if (!cancel || !confirm) throw new Error('There are two buttons.')
    expect([isDisabled(cancel), isDisabled(confirm)]).toEqual([false, false])
    await user.click(confirm)
    await within(dialog).findByText('Deleting chunk...')
    expect([isDisabled(cancel), isDisabled(confirm)]).toEqual([true, true])
    finish()
    await within(dialog).findByText('Chunk deleted')
    const shownAt = performance.now()
    expect([isDisabled(cancel), isDisabled(confirm)]).toEqual([false, true])
    await waitFor(() => expect(screen.queryByText('Chunk deleted')).toBeNull(), { timeout: 10_000 })
    expect(performance.now() - shownAt).toBeGreaterThan(1_000)
  })

  it('shows failed reads and deletions, and stays open [VD-12]', async () => {
    let refusal: unknown = [422, { code: 'odd', detail: 'It is kept.' }]
    await openDb({ 'DELETE /vector_db/chunks': () => refusal })
    await user.click(await screen.findByRole('button', { name: 'Delete object one' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await screen.findByText('Error: It is kept.')
    refusal = [500, { code: 'internal', detail: 'Oh.' }]
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await screen.findByText('Error: Failed to delete chunk')
    leaveApp()
    prepareBrowser()
    await openDb({ 'POST /vector_db/objects': () => [422, { code: 'odd', detail: 'Not now.' }] })
    await screen.findByText('Failed to fetch chunks: Not now.')
    leaveApp()
    prepareBrowser()
    let isRefused = true
    await openDb({
      'GET /vector_db/collections': () =>
        isRefused ? [422, { code: 'odd', detail: 'Not now.' }] : { collections: [collection] },
    })
    await screen.findByText('Failed to fetch collections: Not now.')
    isRefused = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('button', { name: 'Open object one' })
  })

  it('says what is empty [DG-09, VD-11]', async () => {
    await openDb({ 'GET /vector_db/collections': () => ({ collections: [] }) })
    await screen.findByText('No collections found')
    await screen.findByText('No collections found. Create one below or check database connection.')
    leaveApp()
    prepareBrowser()
    await openDb({ 'POST /vector_db/objects': () => ({ objects: [], next_cursor: null }) })
    await screen.findByText('No chunks found in this collection')
    leaveApp()
    prepareBrowser()
    await openDb({ 'POST /vector_db/objects': () => ({ objects: [anObject('one', '')], next_cursor: null }) })
    await screen.findByText('No content available')
  })
})

const trials = { ...collection, name: 'Trials', is_library: false }
const bothCollections = { 'GET /vector_db/collections': () => ({ collections: [collection, trials] }) }
const no = () => [422, { code: 'odd', detail: 'Not now.' }]

describe('vector database page', () => {
  it('has a status, collections to view and delete, a form for a new one, and confirmations [DG-06]', async () => {
    const { called } = await openDb({
      ...bothCollections,
      'POST /vector_db/objects': ({ body }) => ({
        objects: [anObject((body as { collection_name: string }).collection_name, 'Text')],
        next_cursor: null,
      }),
      'DELETE /vector_db/collections/Trials': () => ({ message: 'Collection Trials deleted' }),
      'DELETE /vector_db/documents': () => ({
        ...{ status: 'success', message: 'Objects deleted: 2', object_id: null, details: { successful: 2 } },
      }),
    })
    const status = within(await screen.findByRole('region', { name: 'Vector database' }))
    await status.findByText('Connected')
    expect(status.getByText(/2 objects · 2 KB · 1 fragment/)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: /^Trials/ }))
    await screen.findByRole('button', { name: 'Open object Trials' })
    expect(screen.queryByRole('button', { name: 'Delete collection Documents' })).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Delete collection Trials' }))
    const deletions = () => called('DELETE /vector_db/collections/Trials')
    const ask = () => screen.findByRole('dialog', { name: 'Delete the collection Trials?' })
    await user.click(within(await ask()).getByRole('button', { name: 'Cancel' }))
    expect(deletions()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Delete collection Trials' }))
    await user.click(within(await ask()).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(deletions().map(({ query }) => query.get('confirm'))).toEqual(['true']))

    await user.click(await screen.findByRole('button', { name: 'Delete all objects' }))
    const all = await screen.findByRole('dialog', { name: 'Delete all objects of Trials?' })
    expect(called('DELETE /vector_db/documents')).toEqual([])
    await user.click(within(all).getByRole('button', { name: 'Delete' }))
    await waitFor(() =>
      expect(called('DELETE /vector_db/documents').map(({ body }) => body)).toEqual([
        { collection_name: 'Trials', all_objects: true },
      ]),
    )
    await user.click(await screen.findByRole('button', { name: 'New collection' }))
    const form = within(screen.getByRole('form', { name: 'New collection' }))
    for (const name of ['Embedding model', 'Index type', 'Distance metric'])
      expect(form.getByRole('combobox', { name })).toBeTruthy()
    for (const name of ['Add vector', 'Add property']) expect(form.getByRole('button', { name })).toBeTruthy()
    expect(form.getByRole('switch', { name: 'Multi-tenancy' })).toBeTruthy()
  })

  it('shows errors with their reasons [DG-08]', async () => {
    await openDb({ 'GET /vector_db/status': no })
    await screen.findByText('Failed to fetch vector DB status: Not now.')
    leaveApp()
    prepareBrowser()
    // Tabs that only select a collection label the list in their own words.
    await openTab('Search', { 'GET /vector_db/collections': no })
    await screen.findByText('Failed to fetch vector DB collections: Not now.')
    leaveApp()
    prepareBrowser()
    await openDb({
      ...bothCollections,
      'POST /vector_db/collections': no,
      'DELETE /vector_db/collections/Trials': no,
      'DELETE /vector_db/documents': no,
    })
    await user.click(await screen.findByRole('button', { name: 'Delete all objects' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await screen.findByText('Error deleting objects: Not now.')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Delete collection Trials' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await screen.findByText('Failed to delete collection: Not now.')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'New collection' }))
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Others')
    await user.click(screen.getByRole('button', { name: 'Create collection' }))
    await screen.findByText('Collection Creation Failed')
    await screen.findByText('Error creating collection: Not now.')
  })

  it('accepts another token and refetches [VD-10]', async () => {
    let answered = 1
    const { called } = await openDb({
      'GET /vector_db/collections': () => ({ collections: [{ ...collection, object_count: answered }] }),
    })
    const badge = () => screen.getByRole('list', { name: 'Collections' }).textContent
    await waitFor(() => expect(badge()).toMatch(/1$/))
    answered = 7
    const objects = called('POST /vector_db/objects').length
    await user.click((await screen.findAllByRole('button', { name: 'Refresh' }))[0] as HTMLElement)
    await waitFor(() => expect(badge()).toMatch(/7$/))
    expect(called('POST /vector_db/objects').length).toBeGreaterThan(objects)
    await user.click(screen.getByRole('button', { name: 'Update token' }))
    const prompt = within(await screen.findByRole('dialog', { name: 'Update token' }))
    expect(isDisabled(prompt.getByRole('button', { name: 'Use this token' }))).toBe(true)
    await user.type(prompt.getByLabelText('Token'), ' another ')
    answered = 9
    await user.click(prompt.getByRole('button', { name: 'Use this token' }))
    expect(getToken()).toBe('another')
    await waitFor(() => expect(badge()).toMatch(/9$/))
  })
})

describe('new collection', () => {
  it('offers the known indexes, metrics, integrations and property types [VD-15]', async () => {
    await openDb()
    await user.click(await screen.findByRole('button', { name: 'New collection' }))
    await user.click(screen.getByRole('button', { name: 'Add vector' }))
    await user.click(screen.getByRole('button', { name: 'Add property' }))
    const select = (name: string, group?: string) =>
      (group ? within(screen.getByRole('group', { name: group })) : screen).getByRole('combobox', {
        name,
      }) as HTMLSelectElement
    const valuesOf = (name: string, group?: string) =>
      [...select(name, group).options].map(({ value }) => value)
    expect(valuesOf('Index type')).toEqual(['hnsw', 'flat'])
    expect(valuesOf('Distance metric')).toEqual(['cosine', 'dot', 'l2-squared', 'l1', 'hamming'])
    expect(valuesOf('Integration', 'Vector 1')).toEqual([
      ...['', 'text2vec-openai', 'text2vec-cohere', 'text2colbert-jinaai'],
    ])
    expect(select('Integration', 'Vector 1').options[0]?.text).toBe('Custom')
    expect(valuesOf('Type', 'Property 1')).toEqual([
      ...['text', 'int', 'float', 'boolean', 'date', 'geo', 'object'],
    ])
  })

  it('is created with names, and comma-separated sources [DG-07, VD-16, VD-17, VD-18]', async () => {
    let made = () => {}
    const wait = new Promise<void>((resolve) => {
      made = resolve
    })
    const { called } = await openDb({
      'POST /vector_db/collections': async () => {
        await wait
        return [422, { code: 'odd', detail: 'Not now.' }]
      },
    })
    await user.click(await screen.findByRole('button', { name: 'New collection' }))
    screen.getByText(
      /Some vectorizer integrations may not exist in the vector database\. Use the custom option/,
    )
    const create = screen.getByRole('button', { name: 'Create collection' })
    expect(isDisabled(create)).toBe(true)
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Trials')
    expect(isDisabled(create)).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Add vector' }))
    await user.click(create)
    await screen.findByText('Vectorizer name is required')
    const vector = within(screen.getByRole('group', { name: 'Vector 1' }))
    await user.type(vector.getByRole('textbox', { name: 'Name' }), 'body')
    await user.type(vector.getByRole('textbox', { name: 'Source properties' }), ' title ,, text, ')
    await user.click(screen.getByRole('button', { name: 'Add property' }))
    await user.click(create)
    await screen.findByText('Property name is required')
    expect(called('POST /vector_db/collections')).toEqual([])
    const property = within(screen.getByRole('group', { name: 'Property 1' }))
    await user.type(property.getByRole('textbox', { name: 'Name' }), 'supplier')
    await user.click(create)
    await waitFor(() => expect(isDisabled(create)).toBe(true))
    made()
    await screen.findByText('Error creating collection: Not now.')
    expect(screen.getByText('Collection Creation Failed')).toBeTruthy()
    expect(called('POST /vector_db/collections')[0]?.body).toMatchObject({
      name: 'Trials',
      configuration: { vectorizer_configs: [{ name: 'body', source_properties: ['title', 'text'] }] },
    })
  })
})
