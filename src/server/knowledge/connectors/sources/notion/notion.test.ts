import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { type NotionServer, rich, startNotionServer } from '#tests/sources/notion-server.ts'
import { itSyncs, type RecordedSource, startConnecting } from '#tests/sources/source-cases.ts'

describe('Notion', () => {
  let notion: NotionServer
  beforeAll(async () => {
    notion = await startNotionServer()
  })
  afterAll(() => notion.close())
  const recorded = (): RecordedSource => ({
    ...{ source: 'notion', server: notion, mayAsk: /^POST \/v1\/search$/ },
    settings: () => ({ token: 'secret', address: notion.url }),
    fill: (items) => fill(notion, items),
    change: () => change(notion),
    isRead: (request) => /\/blocks\/p\d+\/children/.test(request),
    setSignedIn: (isSignedIn) => {
      notion.isSignedIn = isSignedIn
    },
  })
  const connecting = startConnecting(recorded)
  itSyncs(recorded, connecting)

  it('gives pages their place, owner and address, and rows of databases their values', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const row = await connecting.document(id, 'Home/Machines/Pump.html')
    expect(row.source).toMatchObject({
      owner: 'Inès Roche',
      labels: ['oil', 'plant'],
      url: 'https://www.notion.so/p101',
    })
    for (const value of [
      '<td>In use</td>',
      '<td>42.5</td>',
      '<td>2026-11-02 – 2026-11-04</td>',
      '<td>a &lt;b&gt; c</td>',
    ])
      expect(row.text).toContain(value)
    // The block that contains it has no name of its own.
    await connecting.document(id, 'Home/Below a toggle.html')
    // The page above is not shared with the integration.
    await connecting.document(id, 'Alone.html')
  })

  it.each(['search', 'children'])(
    'keeps all pages when a page of %s says that there are more but names no cursor',
    async (what) => {
      const id = await connecting.connect()
      const before = await synced(connecting.ada, id)
      let reads = 0
      notion.fault = ({ path }) => {
        if (!path.endsWith(what)) return null
        reads += 1
        return { json: { object: 'list', results: [], has_more: true, next_cursor: null } }
      }
      notion.pages.get('p101')!.edited = '2026-11-03T10:00:00.000Z'
      const after = await syncNow(connecting.ada, id)
      notion.fault = () => null
      expect(reads).toBeGreaterThan(0)
      const isListing = what === 'search'
      expect(after).toMatchObject({
        state: isListing ? 'failing' : 'ready',
        read: before.read,
        removal: null,
      })
      const reason = isListing ? [] : [{ name: 'Pump.html', reason: 'unavailable' }]
      expect((await connecting.ada.call('GET', `/connectors/${id}/items`)).body.items).toMatchObject(reason)
    },
  )

  it('writes all kinds of blocks as HTML, with texts escaped', async () => {
    notion.blocks.set('p102', everyBlock)
    notion.blocks.set('b-list', [block('bulleted_list_item', { rich_text: [rich('Inner')] })])
    notion.blocks.set('b-table', [
      block('table_row', { cells: [[rich('Name')], [rich('Size')]] }),
      block('table_row', { cells: [[rich('Pump')], [rich('3 m')]] }),
    ])
    notion.blocks.set('b-columns', [block('column', {}, 'b-column')])
    notion.blocks.set('b-column', [block('paragraph', { rich_text: [rich('In a column')] })])
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const { text } = await connecting.document(id, 'Home/Below a toggle.html')
    for (const html of [
      '<h2>Heading</h2>',
      '<p><strong>Bold</strong><a href="https://example.com/"> link</a></p>',
      '<ul>\n<li>One<ul>\n<li>Inner</li>\n</ul></li>\n<li>Two</li>\n<li>☑ Done</li>\n</ul>',
      '<pre><code>if (a &lt; b) &amp;&amp; c</code></pre>',
      '<tr><th>Name</th><th>Size</th></tr>\n<tr><td>Pump</td><td>3 m</td></tr>',
      '<blockquote><p>💡 Note</p></blockquote>',
      '<p>In a column</p>',
      '<p><a href="https://example.com/plan.pdf">plan.pdf</a></p>',
      '<p>hosted.pdf</p>',
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    ])
      expect(text).toContain(html)
    expect(text).not.toContain('javascript:')
    expect(text).not.toContain('signed')
  })

  it('reads blocks that contain themselves and very many blocks up to a limit, and says so', async () => {
    notion.blocks.set('p102', [block('toggle', { rich_text: [rich('Again')] }, 'b-loop')])
    notion.blocks.set(
      'b-loop',
      Array.from({ length: 3 }, () => block('toggle', { rich_text: [rich('Again')] }, 'b-loop')),
    )
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', error: null, read: 22 })
    const { text } = await connecting.document(id, 'Home/Below a toggle.html')
    expect(text).toContain('The rest is left out.')
    expect(notion.requests.filter((one) => one.includes('b-loop')).length).toBeLessThanOrEqual(400)
  })

  it('lists a page that is no longer shared as refused, and forgets pages in the trash', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const page = notion.pages.get('p102')!
    page.edited = '2026-11-05T10:00:00.000Z'
    // It is unshared after it was listed.
    notion.fault = ({ path }) =>
      path.includes('/pages/p102') ? { status: 404, json: { code: 'object_not_found' } } : null
    expect(await syncNow(connecting.ada, id)).toMatchObject({ state: 'ready', refused: 1 })
    notion.fault = () => null
    page.inTrash = true
    await syncNow(connecting.ada, id)
    expect(await connecting.counts(id)).toMatchObject({ removed: 1 })
  })

  it('reads a page again that changed in the minute of its last reading', async () => {
    const page = notion.pages.get('p102')!
    page.edited = `${new Date().toISOString().slice(0, 17)}00.000Z`
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    notion.blocks.set('p102', [block('paragraph', { rich_text: [rich('Later in that minute')] })])
    const { now } = Date
    const later = vi.spyOn(Date, 'now').mockImplementation(() => now() + 5 * 60_000)
    await syncNow(connecting.ada, id)
    later.mockRestore()
    expect((await connecting.document(id, 'Home/Below a toggle.html')).text).toContain('Later in that minute')
  })

  it('asks again for names that the source could not give', async () => {
    const failed = new Set<string>()
    notion.fault = ({ path }) => {
      if (!/users$|databases/.test(path) || failed.has(path)) return null
      failed.add(path)
      return { status: 500, json: {} }
    }
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', error: null, read: 22 })
    expect(failed.size).toBe(2)
    expect((await connecting.document(id, 'Home/Machines/Pump.html')).source).toMatchObject({
      owner: 'Inès Roche',
    })
  })

  it('stores hostile names', async () => {
    notion.pages.get('p1')!.title = `${'/x'.repeat(1_000_000)}\0`
    notion.pages.get('p100')!.parent = { type: 'page_id', page_id: 'p102' }
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', error: null, read: 22 })
    expect(Math.max(...(await documentsOf(connecting.app, id)).map(({ name }) => name.length))).toBeLessThan(
      150,
    )
  })
})

const block = (type: string, content: unknown, id?: string) => ({
  ...{ object: 'block', id: id ?? 'b', type, has_children: id !== undefined, [type]: content },
})

const everyBlock = [
  block('heading_1', { rich_text: [rich('Heading')] }),
  block('paragraph', {
    rich_text: [
      rich('Bold', { annotations: { bold: true } }),
      rich(' link', { href: 'https://example.com/' }),
    ],
  }),
  block('bulleted_list_item', { rich_text: [rich('One')] }, 'b-list'),
  block('bulleted_list_item', { rich_text: [rich('Two')] }),
  block('to_do', { rich_text: [rich('Done')], checked: true }),
  block('code', { rich_text: [rich('if (a < b) && c')], language: 'c' }),
  block('table', { has_column_header: true }, 'b-table'),
  block('callout', { rich_text: [rich('Note')], icon: { type: 'emoji', emoji: '💡' } }),
  block('column_list', {}, 'b-columns'),
  block('file', { type: 'external', name: 'plan.pdf', external: { url: 'https://example.com/plan.pdf' } }),
  block('pdf', { type: 'file', name: 'hosted.pdf', file: { url: 'https://files.example/signed' } }),
  block('paragraph', { rich_text: [rich('<script>alert(1)</script>')] }),
  block('bookmark', { url: 'javascript:alert(1)', caption: [rich('x')] }),
  block('unsupported', null),
]

/** Gives a workspace a page, a page in a toggle, a row, a page alone, and as many more pages as needed. */
function fill(notion: NotionServer, items: number): void {
  for (const one of [notion.pages, notion.databases, notion.blocks, notion.parents]) one.clear()
  const add = (id: string, title: string, parent: NotionParentLike, more = {}) => {
    notion.pages.set(id, { id, title, parent, edited: '2026-11-02T10:00:00.000Z', ...more })
    notion.blocks.set(id, [block('paragraph', { rich_text: [rich(`Text of ${title}.`)] })])
  }
  add('p100', 'Home', { type: 'workspace', workspace: true })
  notion.databases.set('d1', { title: 'Machines', parent: { type: 'page_id', page_id: 'p100' } })
  const inDatabase = { type: 'data_source_id', data_source_id: 's1', database_id: 'd1' }
  add('p101', 'Pump', inDatabase, { properties: values })
  notion.parents.set('b9', { type: 'page_id', page_id: 'p100' })
  add('p102', 'Below a toggle', { type: 'block_id', block_id: 'b9' })
  add('p103', 'Alone', { type: 'page_id', page_id: 'p999' })
  notion.pages.set('p999', { ...notion.pages.get('p100')!, id: 'p999', isShared: false })
  for (let at = 1; at <= items - 4; at += 1) add(`p${at}`, `Page ${at}`, { type: 'page_id', page_id: 'p100' })
}

type NotionParentLike = { type: string } & Record<string, string | boolean>

const values = {
  State: { type: 'status', status: { name: 'In use' } },
  Price: { type: 'formula', formula: { type: 'number', number: 42.5 } },
  When: { type: 'date', date: { start: '2026-11-02', end: '2026-11-04' } },
  Note: { type: 'rich_text', rich_text: [rich('a <b> c')] },
  Tags: { type: 'multi_select', multi_select: [{ name: 'oil' }, { name: 'plant' }] },
  Strange: { type: 'button', button: {} },
}

function change(notion: NotionServer) {
  const edited = '2026-11-03T10:00:00.000Z'
  notion.pages.set('p200', { ...notion.pages.get('p1')!, id: 'p200', title: 'New', edited })
  notion.blocks.set('p200', [block('paragraph', { rich_text: [rich('New.')] })])
  notion.blocks.set('p1', [block('paragraph', { rich_text: [rich('Changed.')] })])
  notion.pages.get('p1')!.edited = edited
  // Moved and renamed: the title is part of the content.
  Object.assign(notion.pages.get('p2')!, {
    title: 'Renamed',
    parent: { type: 'page_id', page_id: 'p101' },
    edited,
  })
  notion.pages.get('p3')!.inTrash = true
  return { added: 1, changed: 2, moved: 1, removed: 1, refused: 0 }
}
