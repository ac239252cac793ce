import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { type ConfluenceServer, startConfluenceServer } from '#tests/sources/confluence-server.ts'
import { itSyncs, type RecordedSource, startConnecting } from '#tests/sources/source-cases.ts'

describe.each(['cloud', 'data-center'] as const)('Confluence (%s)', (edition) => {
  let site: ConfluenceServer
  beforeAll(async () => {
    site = await startConfluenceServer(edition)
  })
  afterAll(() => site.close())
  const recorded = (): RecordedSource => ({
    ...{ source: 'confluence', server: site },
    settings: () => ({
      ...{ edition, address: site.url, token: 'sesame' },
      ...(edition === 'cloud' && { email: 'ada@example.com' }),
    }),
    fill: (items) => fill(site, items),
    change: () => change(site),
    isRead: (request) =>
      /^GET \/(wiki\/api\/v2\/(pages|blogposts)|rest\/api\/content)\/\d+(\?|$)|\/media\/|^GET \/download\//.test(
        request,
      ),
    setSignedIn: (isSignedIn) => {
      site.token = isSignedIn ? 'sesame' : 'other'
    },
  })
  const connecting = startConnecting(recorded)
  itSyncs(recorded, connecting)

  it('gives pages their place, labels, owner and address, and attachments as files', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const pumps = await connecting.document(id, 'Engineering (ENG)/Home/Plant/Pumps - 3.html')
    expect(pumps.text).toContain('<h1>Pumps / 3</h1>')
    expect(pumps.text).toContain('<p>The pump needs oil.</p>')
    expect(pumps.source).toMatchObject({
      ...{
        owner: 'Inès Roche',
        labels: ['oil', 'plant'],
        path: 'Engineering (ENG)/Home/Plant/Pumps - 3.html',
      },
      ...{
        url: expect.stringContaining(
          edition === 'cloud' ? `${site.url}/wiki/spaces/` : `${site.url}/display/`,
        ),
      },
      changed_at: expect.stringContaining('2026-11-02T10:00'),
    })
    const file = await connecting.document(id, 'Engineering (ENG)/Home/Plant/Pumps - 3/plan <1>.txt')
    expect(file.text).toBe('The plan of the pump.')
    await connecting.document(id, 'Engineering (ENG)/Blog/News.html')
  })

  it('lists spaces as folders and reads only chosen ones', async () => {
    const { source, settings } = recorded()
    const trial = { source, settings: settings(), company_id: connecting.company }
    const { body } = await connecting.ada.call('POST', '/connector-sources/browse', trial)
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['Engineering (ENG)', 'Sales (SAL)'])
    const selection = { folders: ['Engineering (ENG)'], include: ['*.txt'], exclude: [] }
    const id = await connecting.connect({ selection })
    expect(await synced(connecting.ada, id)).toMatchObject({ listed: 2, read: 2 })
  })

  it('asks again for what the source could not give', async () => {
    const failed = new Set<string>()
    site.fault = ({ path }) => {
      if (!/v2\/pages$|user\/bulk$|child\/attachment$/.test(path) || failed.has(path)) return null
      failed.add(path)
      return { status: 500, json: {} }
    }
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', error: null, read: 22 })
    expect(failed.size).toBe(edition === 'cloud' ? 2 : 1)
    const { source } = await connecting.document(id, 'Engineering (ENG)/Home/Plant/Pumps - 3.html')
    expect(source).toMatchObject({ owner: 'Inès Roche' })
    await connecting.document(id, 'Engineering (ENG)/Home/Plant/Pumps - 3/plan <1>.txt')
  })

  it('stores hostile names and trees, and reads no file of another server', async () => {
    site.pages.get('101')!.title = `${'x'.repeat(1_000_000)}\0/../`
    site.pages.get('102')!.title = '<script>alert(1)</script>'
    // Pages that contain each other.
    site.pages.get('103')!.parent = '104'
    site.pages.get('104')!.parent = edition === 'cloud' ? '103' : null
    site.fileAddress = 'http://127.0.0.1:9/plan.txt'
    const id = await connecting.connect()
    const connector = await synced(connecting.ada, id)
    site.fileAddress = null
    expect(connector).toMatchObject({ state: 'ready', error: null, read: 20, refused: 2 })
    const { body } = await connecting.ada.call('GET', `/connectors/${id}/items`)
    expect(body.items[0]).toMatchObject({
      reason: 'refused',
      detail: expect.stringContaining('another server'),
    })
    const all = await documentsOf(connecting.app, id)
    expect(Math.max(...all.map(({ path }) => path.length))).toBeLessThan(4_000)
    const script = all.find(({ name }) => name.includes('script'))
    const { content } = await connecting.ada.bytes(`/documents/${script?.id}/content?original=true`)
    expect(content.toString()).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  })

  it('notices an invalid token although the site answers it with empty lists', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    Object.assign(site, { isPublic: true, token: 'other' })
    const ended = await syncNow(connecting.ada, id)
    site.isPublic = false
    expect(ended).toMatchObject({ state: 'signed_out', read: 22, removal: null })
  })

  it('begins a list again whose cursor expired or whose pages moved', async () => {
    let lists = 0
    site.fault = ({ path, query }) => {
      if (!/spaces\/1\/pages$|content$/.test(path) || query.get('type') === 'blogpost') return null
      lists += 1
      if (lists !== 3) return null
      if (edition === 'cloud') return { status: 400, json: {} }
      // The first pages disappear between two pages of the list.
      for (const id of ['100', '101']) site.pages.delete(id)
      return null
    }
    const id = await connecting.connect()
    const left = edition === 'cloud' ? 22 : 20
    const connector = await synced(connecting.ada, id)
    expect(connector.error).toBeNull()
    const names = new Set((await documentsOf(connecting.app, id)).map(({ path }) => path))
    for (const { title } of [...site.pages.values()].filter(({ id: one }) => Number(one) < 110))
      expect(
        [...names].some((path) => path.endsWith(`/${title}.html`)),
        title,
      ).toBe(true)
    await syncNow(connecting.ada, id)
    expect((await documentsOf(connecting.app, id)).length).toBeGreaterThanOrEqual(left)
  })
})

/** Gives a site three pages, a blog post and two files, and as many more pages as needed. */
function fill(site: ConfluenceServer, items: number): void {
  for (const one of [site.pages, site.files, site.folders]) one.clear()
  site.spaces = [
    { id: '1', key: 'ENG', name: 'Engineering' },
    { id: '2', key: 'SAL', name: 'Sales' },
  ]
  const add = (id: string, title: string, more = {}) =>
    site.pages.set(id, {
      ...{
        id,
        space: '1',
        kind: 'page',
        title,
        parent: null,
        html: `<p>${title}</p>`,
        version: 1,
        labels: [],
      },
      ...more,
    })
  const rest = items - 6
  for (let at = 0; at < rest; at += 1)
    add(`${100 + at}`, `Page ${at}`, { space: at % 4 === 3 ? '2' : '1', parent: null })
  add('90', 'Home')
  add('91', 'Plant', { parent: '90' })
  const pump = { parent: '91', labels: ['oil', 'plant'], html: '<p>The pump needs oil.</p>' }
  add('200', 'Pumps / 3', pump)
  add('201', 'News', { kind: 'blogpost' })
  const file = { page: '200', version: 1 }
  site.files.set('att1', { ...file, id: 'att1', title: 'plan <1>.txt', text: 'The plan of the pump.' })
  site.files.set('att2', { ...file, id: 'att2', title: 'list.txt', text: 'The list of the pump.' })
}

function change(site: ConfluenceServer) {
  const page = (id: string) => site.pages.get(id)!
  site.pages.set('300', { ...page('100'), id: '300', title: 'New', html: '<p>New</p>' })
  Object.assign(page('100'), { html: '<p>Changed.</p>', version: 2 })
  Object.assign(site.files.get('att2')!, { text: 'Another list.', version: 2 })
  // Moved below another page: its file moves with it.
  page('200').parent = '90'
  site.pages.delete('101')
  return { added: 1, changed: 2, moved: 3, removed: 1, refused: 0 }
}
