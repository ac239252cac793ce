import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anObject, collection, overlayOf } from '../document-debug/document-debug-builder.tsx'
import { aDocument, anEmptyState, aPage } from '../documents/document-builder.ts'
import type { Answers } from '../lib/render-page.tsx'
import { leaveApp, prepareBrowser } from '../render-app.tsx'

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

describe('the vector database', () => {
  it('VD-01 lists the collections with how many objects each has', async () => {
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

  it('VD-02 opens an object as fields or as raw JSON', async () => {
    await openDb()
    await user.click(await screen.findByRole('button', { name: 'Open object one' }))
    expect(screen.getByText('file_name')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Raw JSON' }))
    expect(screen.getByText(/"uuid": "one"/)).toBeTruthy()
    expect(screen.queryByText('file_name')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Formatted' }))
    expect(screen.getByText('file_name')).toBeTruthy()
  })

  it('VD-06 filters the objects that are loaded, without asking the server', async () => {
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

  it('VD-07 loads 10 objects at once, 1 to 100 where one says so; an empty limit is 10', async () => {
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

  it('VD-08 loads more from the cursor on', async () => {
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

  it('VD-09 keeps both buttons of a deletion while it runs, then says it worked and leaves', async () => {
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

  it('VD-12 says what could not be read or deleted, and stays', async () => {
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

  it('DG-09 says what is empty', async () => {
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

describe('a new collection', () => {
  it('DG-07 is asked for with names, and sources between commas', async () => {
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
