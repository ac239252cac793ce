import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { type BucketServer, startBucketServer } from '#tests/bucket-server.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { hostOfBucket } from './bucket.ts'

let app: TestApp
let ada: Reader
let company: string
let bucket: BucketServer
beforeAll(async () => {
  bucket = await startBucketServer()
  app = await startApp({
    config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_TOOLS_PRIVATE: bucket.url },
  })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  bucket.close()
})
beforeEach(() => {
  bucket.objects.clear()
  bucket.reads.clear()
  Object.assign(bucket, { pageSize: 1000, hidden: [], fault: () => null })
  for (let at = 0; at < 20; at += 1) bucket.objects.set(`Achats/n ${at}.txt`, { text: `Number ${at}` })
  bucket.objects.set('Achats/', { text: '' })
  bucket.objects.set("Été & Co/Lot (3)! + 'x' *.txt", { text: 'The pumps of lot 3.' })
})

const settingsOf = () => ({
  ...{ address: bucket.url, region: 'eu-west-3', bucket: 'files' },
  ...{ access_key: bucket.keys.id, secret_key: bucket.keys.secret },
})
const connectBucket = (more = {}) => connect(ada, company, { source: 's3', settings: settingsOf(), ...more })
const trial = (settings = {}) => ({
  ...{ source: 's3', company_id: company },
  settings: { ...settingsOf(), ...settings },
})
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)

describe('a bucket', () => {
  it('is read in pages, and later only what changed, moved or disappeared', async () => {
    bucket.pageSize = 7
    const { id } = await connectBucket()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 21, read: 21, refused: 0 })
    const path = "Été & Co/Lot (3)! + 'x' *.txt"
    const before = await find(id, path)
    expect(before).toMatchObject({ name: "Lot (3)! + 'x' *.txt", tags: ['Été & Co'], version: 1 })
    const { body: document } = await ada.call('GET', `/documents/${before?.id}`)
    expect(document.source).toMatchObject({
      path,
      url: expect.stringContaining(`${bucket.url}/files/%C3%89t%C3%A9%20%26%20Co/Lot`),
      changed_at: expect.stringContaining('2026-11-02T10:00'),
    })
    bucket.reads.clear()
    bucket.objects.delete(path)
    bucket.objects.set('Archive/Lot 3.txt', { text: 'The pumps of lot 3.' })
    bucket.objects.set('Achats/n 0.txt', { text: 'Changed' })
    bucket.objects.set('Achats/new.txt', { text: 'New' })
    bucket.objects.delete('Achats/n 1.txt')
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 1, changed: 1, moved: 1, removed: 1, refused: 0 })
    expect(await find(id, 'Archive/Lot 3.txt')).toMatchObject({
      id: before?.id,
      tags: ['Archive'],
      version: 1,
    })
    expect([...bucket.reads.keys()].sort()).toEqual(['Achats/n 0.txt', 'Achats/new.txt'])
  })

  it('is browsed and counted, and only chosen prefixes are listed', async () => {
    bucket.objects.set('Achats 2/other.txt', { text: 'Other' })
    bucket.objects.set('Z/deep/a.txt', { text: 'Deep' })
    const { body } = await ada.call('POST', '/connector-sources/browse', trial())
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual([
      'Achats 2',
      'Achats',
      'Z',
      'Été & Co',
    ])
    const below = await ada.call('POST', '/connector-sources/browse', { ...trial(), path: 'Z' })
    expect(below.body).toEqual({
      items: [{ path: 'Z/deep', name: 'deep', has_folders: true }],
      has_more: false,
    })
    const selection = { folders: ['Z', 'Achats', 'Z/deep'], include: [], exclude: ['n 1*'] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...trial(), selection })
    expect(counted.body).toMatchObject({ items: 10, is_complete: true })
    bucket.pageSize = 3
    const { id } = await connectBucket({ selection })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 10, read: 10 })
  })

  it('waits when it is asked to slow down, and keeps the documents when it refuses', async () => {
    const { id } = await connectBucket()
    await synced(ada, id)
    let slow = 1
    bucket.fault = () =>
      slow-- > 0 ? { status: 503, code: 'SlowDown', headers: { 'retry-after': '1' } } : null
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    expect(slow).toBeLessThan(0)
    bucket.fault = () => ({ status: 403, code: 'AccessDenied' })
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 21, removal: null },
      error: expect.stringContaining('does not let this key list the bucket “files”'),
    })
    bucket.fault = () => ({ status: 400, code: 'ExpiredToken' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'signed_out', read: 21, next_sync_at: null })
    bucket.fault = () => null
    bucket.objects.clear()
    await ada.call('PATCH', `/connectors/${id}`, { settings: { secret_key: bucket.keys.secret } })
    expect(await synced(ada, id)).toMatchObject({ state: 'asking', read: 21 })
  })

  it('says what is wrong with the keys, the region or the name', async () => {
    const errorOf = async (settings: Record<string, string>) => {
      const { body } = await ada.call('POST', '/connector-sources/try', trial(settings))
      return body.ok ? null : body.error
    }
    expect(await errorOf({})).toBeNull()
    expect(await errorOf({ secret_key: 'wrong' })).toContain('refuses the sign-in (SignatureDoesNotMatch)')
    expect(await errorOf({ access_key: 'wrong' })).toContain('refuses the sign-in (InvalidAccessKeyId)')
    expect(await errorOf({ access_key: '' })).toContain('or neither')
    expect(await errorOf({ bucket: 'other' })).toContain('has no bucket “other”')
    expect(await errorOf({ bucket: 'evil.example/x' })).toContain('name of the bucket is not valid')
    expect(await errorOf({ region: 'x.evil.example/' })).toContain('region is not valid')
    bucket.fault = () => ({
      ...{ status: 301, code: 'PermanentRedirect' },
      headers: { 'x-amz-bucket-region': 'eu-north-1' },
    })
    expect(await errorOf({})).toContain('is in the region eu-north-1, not in eu-west-3')
    expect(await errorOf({ address: 'http://127.0.0.1:9' })).toContain(
      'not an address of the public internet',
    )
  })

  it('lists objects that are archived or cannot be requested with the reason', async () => {
    bucket.objects.set('old.txt', { text: 'Old', storage: 'GLACIER' })
    bucket.objects.set('a/../../up.txt', { text: 'Up' })
    bucket.objects.set('n\u0000l.txt', { text: 'Zero.' })
    bucket.objects.set('url:%41.txt', { text: 'Percent.' })
    bucket.objects.set('/a//b.txt', { text: 'Slashes.' })
    const { id } = await connectBucket()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 24, refused: 2 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items.map(({ reason, detail }: Record<string, string>) => `${reason}: ${detail}`)).toEqual([
      'unreadable: Its key contains “.” or “..” as a folder, which cannot be requested.',
      'refused: It is archived. Restore it at the source first.',
    ])
  })

  it('is read whatever its keys contain, each page continuing behind any of them', async () => {
    bucket.objects.clear()
    const keys = [
      ...[
        'a+b.txt',
        'a b.txt',
        'a%20b.txt',
        'a%2Bb.txt',
        '100%.txt',
        '%',
        '%zz',
        '%FF',
        '+',
        ' ',
        ' x ',
        'é',
        'e\u0301',
      ],
      ...[
        '/lead.txt',
        '//two.txt',
        'a//b.txt',
        'a/ /b.txt',
        '\u{1f600}/\uffee.txt',
        "q?x=1&y='2'#z!*().txt",
        'a;b,c:d@e$f=g.txt',
      ],
      ...[
        '<&>"\'.txt',
        '\\x.txt',
        'a\tb\nc.txt',
        '\u202eexe.txt',
        '~',
        '[x]{y}|^`.txt',
        '...',
        'a/.b/..c/d..',
        '\u0001\u007f.txt',
      ],
    ]
    for (const [at, key] of keys.entries()) bucket.objects.set(key, { text: `Key number ${at}.` })
    for (const pageSize of [1, 1000]) {
      bucket.pageSize = pageSize
      bucket.reads.clear()
      const { id } = await connectBucket()
      expect(await synced(ada, id)).toMatchObject({
        state: 'ready',
        read: keys.length,
        refused: 0,
        error: null,
      })
      expect([...bucket.reads.keys()].sort()).toEqual([...keys].sort())
      expect([...bucket.reads.values()].every((count) => count === 1)).toBe(true)
    }
  }, 60_000)

  it('lists keys that are no UTF-8 as unreadable, and continues behind them', async () => {
    bucket.objects.set('%FF', { text: 'A key of three characters.' })
    bucket.hidden = ['%FE', '%FF', 'z%C3']
    bucket.pageSize = 1
    const { id } = await connectBucket()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 22, refused: 3 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items.map(({ reason, detail }: Record<string, string>) => `${reason}: ${detail}`)).toEqual(
      Array.from({ length: 3 }, () => 'unreadable: Its key is not valid UTF-8.'),
    )
  })

  it('that repeats a page fails and keeps its documents', async () => {
    const { id } = await connectBucket()
    await synced(ada, id)
    bucket.pageSize = 5
    bucket.fault = ({ query }) => {
      query.delete('start-after')
      return null
    }
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 21 },
      error: expect.stringContaining('does not continue its list'),
    })
  })

  it('that lists endless keys fails and keeps its documents', async () => {
    const { id } = await connectBucket()
    await synced(ada, id)
    bucket.objects.set('x'.repeat(5_000_000), { text: 'Long.' })
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 21, removal: null },
      error: expect.stringContaining('longer than S3 allows'),
    })
  })

  it('is only read', async () => {
    const { id } = await connectBucket()
    await synced(ada, id)
    expect([...bucket.methods]).toEqual(['GET'])
  })

  it('shares the limits of its endpoint', () => {
    expect(hostOfBucket({ bucket: 'a' })).toBe('s3.us-east-1.amazonaws.com')
    expect(hostOfBucket({ bucket: 'a', region: 'cn-north-1' })).toBe('s3.cn-north-1.amazonaws.com.cn')
    expect(hostOfBucket({ address: 'https://minio.example:9000', bucket: 'a' })).toBe('minio.example:9000')
    expect(hostOfBucket({ address: 'nothing' })).toBeNull()
  })
})
