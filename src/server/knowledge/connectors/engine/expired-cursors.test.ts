import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../connectors.ts'
import { CursorExpired } from '../define-connector.ts'

const scripted = aScriptedSource()
let app: TestApp
let ada: Reader
/** Number of the item before each page that the source was asked for. */
const pages: string[] = []
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
})
afterAll(async () => {
  addSources([])
  await app.close()
})
beforeEach(() => {
  scripted.items.clear()
  scripted.before = () => undefined
  pages.length = 0
  for (let at = 10; at < 45; at += 1) scripted.items.set(`n${at}.txt`, { text: `Number ${at}` })
  scripted.items.set('n15.txt', { text: 'Large', size: 10 ** 12 })
})

const FIRST = ''
const SECOND = 'n19.txt'
const connectScripted = () => connect(ada, null, { source: 'scripted', settings: {} })
const syncsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items
/** Fails requests for the page behind an item, the first of them or all. */
const failPage = (behind: string, error: () => Error, times = Number.POSITIVE_INFINITY) => {
  let failures = 0
  scripted.before = ({ kind, id }) => {
    if (kind !== 'list') return
    pages.push(id)
    if (id !== behind || failures >= times) return
    failures += 1
    throw error()
  }
}
const failRead = (item: string, times: number) => {
  let failures = 0
  scripted.before = ({ kind, id }) => {
    if (kind === 'list') pages.push(id)
    if (kind !== 'read' || id !== item || failures >= times) return
    failures += 1
    throw new CursorExpired()
  }
}

describe('a cursor that expires', () => {
  it('in the middle of a listing begins it again immediately, and removes nothing', async () => {
    failPage(SECOND, () => new CursorExpired(), 1)
    const { id } = await connectScripted()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 35, read: 34, removal: null })
    expect(pages.filter((page) => page === FIRST)).toHaveLength(2)
    const [first] = await syncsOf(id)
    expect(first).toMatchObject({ error: null, counts: { added: 34, removed: 0, refused: 1 } })
    failPage(SECOND, () => new CursorExpired(), 1)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 34, removal: null })
    const [second] = await syncsOf(id)
    expect(second).toMatchObject({ error: null, counts: { added: 0, removed: 0, refused: 0 } })
  })

  it('with every listing makes the sync wait, keeps all documents, and ends when it is accepted', async () => {
    const { id } = await connectScripted()
    await synced(ada, id)
    failPage(SECOND, () => new CursorExpired())
    const failed = await syncNow(ada, id)
    expect(failed).toMatchObject({ state: 'failing', read: 34, removal: null })
    expect(failed.error).toBe('The list of the source changed while it was read.')
    expect(Date.parse(failed.next_sync_at ?? '')).toBeGreaterThan(Date.now())
    expect(pages.length).toBeLessThan(20)
    scripted.before = () => undefined
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 34, removal: null })
  })

  it('while an item is read lists everything again', async () => {
    failRead('n12.txt', 1)
    const { id } = await connectScripted()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 34, refused: 1, error: null })
    expect(pages.filter((page) => page === FIRST)).toHaveLength(2)
  })

  it('with every read of an item lists that one as refused, and reads the others', async () => {
    failRead('n12.txt', Number.POSITIVE_INFINITY)
    const { id } = await connectScripted()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 33, refused: 2, error: null })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([
      { path: 'n12.txt', state: 'refused', reason: 'unavailable' },
      { path: 'n15.txt', state: 'refused', reason: 'too_large' },
    ])
    expect(await documentsOf(app, id)).toHaveLength(33)
  })
})

describe('a cursor that a source refuses like any other mistake', () => {
  it('is given up after five failures, and everything is listed from the beginning', async () => {
    const refused = () => new AppError('not_available', 'The source answers with the status 400.')
    failPage(SECOND, refused)
    const { id } = await connectScripted()
    await synced(ada, id)
    for (let failures = 1; failures < 4; failures += 1) await syncNow(ada, id)
    expect(pages.filter((page) => page === FIRST)).toHaveLength(1)
    expect((await syncNow(ada, id)).state).toBe('failing')
    pages.length = 0
    failPage(SECOND, refused, 0)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 34 })
    expect(pages[0]).toBe(FIRST)
  })
})
