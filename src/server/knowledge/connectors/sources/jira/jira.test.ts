import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { type JiraServer, startJiraServer } from '#tests/sources/jira-server.ts'
import { itSyncs, type RecordedSource, startConnecting } from '#tests/sources/source-cases.ts'

describe.each(['cloud', 'data-center'] as const)('Jira (%s)', (edition) => {
  let site: JiraServer
  beforeAll(async () => {
    site = await startJiraServer(edition)
  })
  afterAll(() => site.close())
  const textOf = (text: string) =>
    edition === 'cloud' ? { type: 'doc', version: 1, content: [paragraph(text)] } : text
  const recorded = (): RecordedSource => ({
    ...{ source: 'jira', server: site },
    settings: () => ({
      ...{ edition, address: site.url, token: 'sesame' },
      ...(edition === 'cloud' && { email: 'ada@example.com' }),
    }),
    fill: (items) => fill(site, items, textOf),
    change: () => change(site, textOf),
    isRead: (request) => /^GET \/rest\/api\/\d\/issue\/\d+\?|\/(media|secure)\//.test(request),
    setSignedIn: (isSignedIn) => {
      site.token = isSignedIn ? 'sesame' : 'other'
    },
  })
  const connecting = startConnecting(recorded)
  itSyncs(recorded, connecting)

  it('gives issues their fields, description and comments in order, and attachments as files', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const { text, source } = await connecting.document(id, 'Engineering (ENG)/ENG-100 Pump - broken.html')
    expect(text).toContain('<h1>ENG-100 Pump / broken</h1>')
    expect(text).toContain('<tr><th>Status</th><td>In progress</td></tr>')
    expect(text).toContain('<tr><th>Machine</th><td>Press – Left, Saw &lt;1&gt;</td></tr>')
    expect(text).not.toContain('Rank')
    expect(text).toContain('<p>It makes a noise.</p>')
    const comments = Array.from({ length: 9 }, (_, at) => text.indexOf(`<p>Comment ${at}</p>`))
    expect(comments.every((at, index) => at > (comments[index - 1] ?? 0))).toBe(true)
    expect(text).toContain('<li>noise.txt</li>')
    expect(source).toMatchObject({
      ...{ owner: 'Inès Roche', labels: ['oil'], url: `${site.url}/browse/ENG-100` },
      changed_at: expect.stringContaining('2026-11-02T10:00'),
    })
    const file = await connecting.document(id, 'Engineering (ENG)/ENG-100 Pump - broken/noise.txt')
    expect(file.text).toBe('The noise.')
  })

  it('lists projects as folders and reads only chosen ones', async () => {
    const { source, settings } = recorded()
    const trial = { source, settings: settings(), company_id: connecting.company }
    const { body } = await connecting.ada.call('POST', '/connector-sources/browse', trial)
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['Engineering (ENG)', 'Sales (SAL)'])
    const id = await connecting.connect({ selection: { folders: ['Sales (SAL)'], include: [], exclude: [] } })
    expect(await synced(connecting.ada, id)).toMatchObject({ listed: 5, read: 5 })
  })

  it('keeps all issues when an empty page of projects says that there are more', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    site.fault = ({ path }) =>
      path.endsWith('/project/search') || path.endsWith('/project')
        ? { json: { values: [], isLast: false } }
        : null
    const after = await syncNow(connecting.ada, id)
    site.fault = () => null
    expect(after).toMatchObject({ state: 'failing', read: 22, removal: null })
  })

  it('notices an invalid token although the site answers it with empty lists', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    Object.assign(site, { isPublic: true, token: 'other' })
    const ended = await syncNow(connecting.ada, id)
    site.isPublic = false
    expect(ended).toMatchObject({ state: 'signed_out', read: 22, removal: null })
  })

  it('begins a list again whose token expired or whose issues moved, and misses none', async () => {
    let lists = 0
    site.fault = ({ path, query }) => {
      if (!path.includes('/search') || !query.get('jql')?.startsWith('project = 1 ')) return null
      lists += 1
      if (lists !== 3) return null
      if (edition === 'cloud') return { status: 400, json: {} }
      for (const id of ['10001', '10002']) site.issues.delete(id)
      return null
    }
    const id = await connecting.connect()
    expect((await synced(connecting.ada, id)).error).toBeNull()
    const paths = (await documentsOf(connecting.app, id)).map(({ path }) => path)
    for (const { key } of site.issues.values())
      expect(
        paths.some((path) => path.includes(`/${key} `)),
        key,
      ).toBe(true)
  })

  it('stores hostile names, deep descriptions and fields', async () => {
    let deep: unknown = { type: 'text', text: 'Deep' }
    for (let at = 0; at < 40; at += 1) deep = { type: 'blockquote', content: [deep] }
    const issue = site.issues.get('10001')!
    const link = {
      type: 'text',
      text: '<b>x</b>',
      marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
    }
    issue.description =
      edition === 'cloud'
        ? {
            type: 'doc',
            content: [deep, 7, null, { type: 'heading', attrs: { level: 99 }, content: [link] }],
          }
        : `&lt;b&gt;x&lt;/b&gt;`
    issue.fields = { customfield_1: [[[]], { value: { value: 1 } }, null], status: 3 }
    site.issues.get('10002')!.summary = `${'x/'.repeat(1_000_000)}\0`
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', error: null, read: 22 })
    const { text } = await connecting.document(id, 'Engineering (ENG)/ENG-1 Issue 1.html')
    expect(text).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(text).not.toContain('Deep')
    expect(text).not.toContain('javascript:')
  })
})

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

/** Fills a project with 5 issues, and another with one that has two files and the rest. */
function fill(site: JiraServer, items: number, textOf: (text: string) => unknown): void {
  site.issues.clear()
  site.projects = [
    { id: '1', key: 'ENG', name: 'Engineering' },
    { id: '2', key: 'SAL', name: 'Sales' },
  ]
  const add = (id: number, project: string, key: string, summary: string, more = {}) =>
    site.issues.set(`${id}`, {
      ...{ id: `${id}`, key, project, summary, updated: '2026-11-02T10:00:00.000+0000', fields: {} },
      ...{ description: textOf(`Text of ${summary}.`), comments: [], files: [], ...more },
    })
  for (let at = 1; at <= items - 8; at += 1) add(10_000 + at, '1', `ENG-${at}`, `Issue ${at}`)
  for (let at = 1; at <= 5; at += 1) add(20_000 + at, '2', `SAL-${at}`, `Sale ${at}`)
  add(10_100, '1', 'ENG-100', 'Pump / broken', {
    description: textOf('It makes a noise.'),
    fields: {
      status: { name: 'In progress' },
      customfield_1: [{ value: 'Press', child: { value: 'Left' } }, { value: 'Saw <1>' }],
      customfield_2: '0|i0000f:',
    },
    comments: Array.from({ length: 9 }, (_, at) => ({
      ...{ id: `${at}`, author: { displayName: 'Bob' }, created: `2026-11-0${at + 1}T10:00:00.000+0000` },
      body: textOf(`Comment ${at}`),
    })),
    files: [
      { id: '1', filename: 'noise.txt', text: 'The noise.' },
      { id: '2', filename: 'log.txt', text: 'The log.' },
    ],
  })
}

function change(site: JiraServer, textOf: (text: string) => unknown) {
  const updated = '2026-11-03T10:00:00.000+0000'
  const issue = (id: string) => site.issues.get(id)!
  site.issues.set('10200', { ...issue('10001'), id: '10200', key: 'ENG-200', summary: 'New', updated })
  Object.assign(issue('10001'), { description: textOf('Changed.'), updated })
  const comment = { id: '1', author: { displayName: 'Bob' }, created: updated, body: textOf('A comment.') }
  Object.assign(issue('10002'), { comments: [comment], updated })
  // Moved to another project, where it gets another key.
  Object.assign(issue('10003'), { project: '2', key: 'SAL-9', updated })
  site.issues.delete('10004')
  return { added: 1, changed: 3, moved: 1, removed: 1, refused: 0 }
}
