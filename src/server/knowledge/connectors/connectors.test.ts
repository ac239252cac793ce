import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { purgeRemoved, remindOfMissing } from './removing.ts'

const allowed = mkdtempSync(join(tmpdir(), 'atrium-sources-'))
const outside = mkdtempSync(join(tmpdir(), 'atrium-outside-'))
let app: TestApp
let ada: Reader
let bob: Reader
let eve: Reader
let company: string
beforeAll(async () => {
  const config = { ATRIUM_CONNECTOR_FOLDERS: allowed, ATRIUM_MAX_UPLOAD_MB: '1' }
  app = await startApp({ config: { ...config, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  const base = `${await app.listen()}/api/v1`
  const admin = await aUser(app, { role: 'company_admin' })
  ada = await aReader(app, base, admin)
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
  eve = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
})
afterAll(async () => {
  await app.close()
  for (const folder of [allowed, outside]) rmSync(folder, { recursive: true })
})

let made = 0
/** Makes a folder with files, by path. */
function aFolder(files: Record<string, string>): string {
  made += 1
  const root = join(allowed, `folder-${made}`)
  mkdirSync(root)
  for (const [path, content] of Object.entries(files)) write(root, path, content)
  return root
}
function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}.txt`, `Number ${at} of ${made}.`]))
const connectFolder = (path: string, more = {}) =>
  connect(ada, company, { source: 'folder', settings: { path }, ...more })
const pathsOf = async (id: string) => (await documentsOf(app, id)).map(({ path }) => path)
const differing = async (id: string) => (await ada.call('GET', `/connectors/${id}/items`)).body.items

describe('a folder of the server', () => {
  it('is named in the audit log with what was changed', async () => {
    const { id } = await connectFolder(aFolder({ 'a.txt': 'One.' }), { name: 'Contracts 2027' })
    await synced(ada, id)
    expect(await lastAudited(app, 'connector.created')).toMatchObject({ subject: 'Contracts 2027' })
    await ada.call('PATCH', `/connectors/${id}`, { readers: [], name: 'Contracts' })
    expect(await lastAudited(app, 'connector.changed')).toMatchObject({
      subject: 'Contracts 2027',
      changes: [
        { what: 'name', before: 'Contracts 2027', after: 'Contracts' },
        { what: 'readers', before: null, after: 'changed' },
      ],
    })
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
    expect(await lastAudited(app, 'connector.removed')).toMatchObject({ subject: 'Contracts' })
  })

  it('becomes documents that members of the company find and read', async () => {
    const root = aFolder({ 'a/lot 3.txt': 'The pumps of lot 3 cost 41 000 €.', 'b.txt': 'Other words.' })
    const { id } = await connectFolder(root)
    const connector = await synced(ada, id)
    expect(connector).toMatchObject({ state: 'ready', listed: 2, read: 2, refused: 0, error: null })
    for (const reader of [ada, bob]) {
      const { counts } = (await reader.call('GET', '/documents/state')).body
      expect(counts.total).toBe((await reader.call('GET', '/documents')).body.total)
      expect(counts.total).toBeGreaterThanOrEqual(2)
    }
    const [document] = await documentsOf(app, id)
    expect(document).toMatchObject({ name: 'lot 3.txt', tags: ['a'] })
    const seen = await bob.processed(document?.id ?? '')
    expect(seen.status).toBe('completed')
    const found = await bob.call('POST', '/search_and_rerank/search_and_rerank', { query: 'pumps of lot 3' })
    expect(JSON.stringify(found.body)).toContain(document?.id)
    const { body: list } = await bob.call('GET', '/documents')
    expect(list.items.map(({ name }: { name: string }) => name)).toContain('lot 3.txt')
  })

  it('is hidden from other companies and cannot be changed', async () => {
    const { id } = await connectFolder(aFolder({ 'x.txt': 'A secret of one company.' }))
    await synced(ada, id)
    const [document] = await documentsOf(app, id)
    expect((await eve.call('GET', `/documents/${document?.id}`)).status).toBe(403)
    const { body } = await eve.call('POST', '/search_and_rerank/search_and_rerank', {
      query: 'secret company',
    })
    expect(JSON.stringify(body)).not.toContain(document?.id)
    expect((await ada.call('PATCH', `/documents/${document?.id}`, { name: 'y.txt' })).status).toBe(403)
    expect((await ada.call('DELETE', `/documents/${document?.id}`)).status).toBe(403)
    expect((await eve.call('GET', `/connectors/${id}`)).status).toBe(403)
    expect((await bob.call('GET', `/connectors/${id}`)).status).toBe(403)
  })

  it('must be below an allowed one, and links out of it are not followed', async () => {
    writeFileSync(join(outside, 'passwords.txt'), 'hunter2')
    const root = aFolder({ 'in.txt': 'Inside.' })
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(outside, 'passwords.txt'), join(root, 'link.txt'))
    const { id } = await connectFolder(root)
    await synced(ada, id)
    expect(await pathsOf(id)).toEqual(['in.txt'])
    for (const path of [outside, join(root, 'out'), `${allowed}/..`, `${allowed}-not`]) {
      const wish = { source: 'folder', company_id: company, settings: { path } }
      expect((await ada.call('POST', '/connector-sources/try', wish)).body.ok).toBe(false)
    }
    const browse = { source: 'folder', company_id: company, settings: { path: root }, path: 'out' }
    expect((await ada.call('POST', '/connector-sources/browse', browse)).status).toBe(404)
  })

  it('is browsed and counted before anything is read', async () => {
    const root = aFolder({ 'a/one.txt': '1234', 'a/two.pdf': '12', 'b/three.txt': '123' })
    const trial = { source: 'folder', company_id: company, settings: { path: root } }
    const { body } = await ada.call('POST', '/connector-sources/browse', trial)
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['a', 'b'])
    const selection = { folders: ['a'], include: ['*.txt'], exclude: [] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...trial, selection })
    expect(counted.body).toEqual({ items: 1, bytes: 4, too_large: 0, is_complete: true })
    const { id } = await connectFolder(root, { selection })
    await synced(ada, id)
    expect(await pathsOf(id)).toEqual(['a/one.txt'])
  })
})

describe('a later sync', () => {
  it('reads only what is new or changed, renames what was moved, and removes what is gone', async () => {
    const root = aFolder({ ...many(20), 'old/moved.txt': 'This moves.', 'changed.txt': 'Before.' })
    const { id } = await connectFolder(root)
    await synced(ada, id)
    const before = new Map((await documentsOf(app, id)).map((one) => [one.path, one]))
    renameSync(join(root, 'old'), join(root, 'new'))
    write(root, 'changed.txt', 'After it changed.')
    write(root, 'added.txt', 'This is new.')
    rmSync(join(root, 'n0.txt'))
    await syncNow(ada, id)
    const after = new Map((await documentsOf(app, id)).map((one) => [one.path, one]))
    expect(after.get('new/moved.txt')).toMatchObject({
      id: before.get('old/moved.txt')?.id,
      version: 1,
      tags: ['new'],
    })
    expect(after.get('changed.txt')).toMatchObject({ id: before.get('changed.txt')?.id, version: 2 })
    expect([after.has('added.txt'), after.has('n0.txt'), after.has('old/moved.txt')]).toEqual([
      true,
      false,
      false,
    ])
    const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(body.items[0].counts).toEqual({ added: 1, changed: 1, moved: 1, removed: 1, refused: 0 })
    await syncNow(ada, id)
    const { body: quiet } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(quiet.items[0].counts).toEqual({ added: 0, changed: 0, moved: 0, removed: 0, refused: 0 })
  })

  it('lists items that are too large or empty with the reason, and reads them again one by one [CN-07]', async () => {
    const root = aFolder({ 'large.txt': 'x'.repeat(1_100_000), 'empty.txt': '', 'good.txt': 'Good.' })
    const { id } = await connectFolder(root)
    expect(await synced(ada, id)).toMatchObject({ listed: 3, read: 1, refused: 2 })
    const items = await differing(id)
    expect(items.map(({ path, reason }: { path: string; reason: string }) => [path, reason])).toEqual([
      ['empty.txt', 'empty'],
      ['large.txt', 'too_large'],
    ])
    write(root, 'empty.txt', 'No longer empty.')
    const retried = await ada.call('POST', `/connectors/${id}/items/${items[0].id}/retry`)
    expect(retried.body.state).toBe('waiting')
    expect(await synced(ada, id)).toMatchObject({ read: 2, refused: 1 })
    expect((await eve.call('POST', `/connectors/${id}/items/${items[1].id}/retry`)).status).toBe(403)
  })

  it('keeps everything when its folder cannot be read', async () => {
    const root = aFolder(many(3))
    const { id } = await connectFolder(root)
    await synced(ada, id)
    renameSync(root, `${root}-away`)
    const failed = await syncNow(ada, id)
    expect([failed.state, failed.read, failed.removal]).toEqual(['failing', 3, null])
    renameSync(`${root}-away`, root)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 3, error: null })
  })
})

describe('a sync in which more than a tenth is missing', () => {
  async function aQuestion() {
    const root = aFolder(many(10))
    const { id } = await connectFolder(root)
    await synced(ada, id)
    for (const name of ['n0.txt', 'n1.txt']) rmSync(join(root, name))
    const { removal, state } = await syncNow(ada, id)
    return { id, root, removal, state }
  }

  it('asks first and keeps everything', async () => {
    const { id, removal, state } = await aQuestion()
    expect([state, removal?.state, removal?.missing, removal?.of]).toEqual(['asking', 'asked', 2, 10])
    expect(await pathsOf(id)).toHaveLength(10)
    const [first] = await documentsOf(app, id)
    expect((await bob.call('GET', `/documents/${first?.id}`)).status).toBe(200)
    expect((await ada.call('POST', `/connectors/${id}/sync`)).status).toBe(409)
  })

  it('hides confirmed items, and brings them back when the removal is undone', async () => {
    const { id, removal } = await aQuestion()
    const [first] = await documentsOf(app, id)
    const answer = { removal_id: removal?.id, answer: 'remove' }
    expect((await ada.call('POST', `/connectors/${id}/removal`, answer)).status).toBe(200)
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 8, removal: { state: 'removed' } })
    expect((await bob.call('GET', `/documents/${first?.id}`)).status).toBe(403)
    expect((await ada.call('POST', `/connectors/${id}/removal`, answer)).status).toBe(409)
    const undo = await ada.call('POST', `/connectors/${id}/removal/undo`, { removal_id: removal?.id })
    expect(undo.body).toMatchObject({ read: 10, removal: null })
    expect((await bob.call('GET', `/documents/${first?.id}`)).status).toBe(200)
  })

  it('asks, keeps all, reminds after 7 days, and undoes a confirmed removal for 30 days [CN-08]', async () => {
    const { id, removal } = await aQuestion()
    const { db, clock } = app.deps
    const told = async () => {
      const { body } = await ada.call('GET', '/notifications?limit=100')
      return body.items.filter(({ path }: { path: string }) => path === `/connectors/${id}`).length
    }
    const setAge = (column: 'asked_at' | 'answered_at', days: number) =>
      sql`update connector_removals set ${sql.ref(column)} = now() - make_interval(secs => ${days * 86_400}) where id = ${removal?.id}`.execute(
        db,
      )
    const removeSince = (days: number) =>
      sql`update connector_items set removed_at = now() - make_interval(secs => ${days * 86_400}) where removal_id = ${removal?.id}`.execute(
        db,
      )
    expect([await told(), await pathsOf(id)]).toEqual([1, expect.objectContaining({ length: 10 })])
    await setAge('asked_at', 6.9)
    await remindOfMissing({ db, clock })
    expect(await told()).toBe(1)
    await setAge('asked_at', 7.1)
    await remindOfMissing({ db, clock })
    await remindOfMissing({ db, clock })
    expect([await told(), await pathsOf(id)]).toEqual([2, expect.objectContaining({ length: 10 })])
    await ada.call('POST', `/connectors/${id}/removal`, { removal_id: removal?.id, answer: 'remove' })
    await synced(ada, id)
    const undo = () => ada.call('POST', `/connectors/${id}/removal/undo`, { removal_id: removal?.id })
    await setAge('answered_at', 29.9)
    await removeSince(29.9)
    await purgeRemoved(app.deps, new AbortController().signal)
    expect((await undo()).body.read).toBe(10)
    await syncNow(ada, id)
    const again = (await ada.call('GET', `/connectors/${id}`)).body.removal
    await ada.call('POST', `/connectors/${id}/removal`, { removal_id: again.id, answer: 'remove' })
    await synced(ada, id)
    await sql`update connector_removals set answered_at = now() - interval '31 days' where id = ${again.id}`.execute(
      db,
    )
    await sql`update connector_items set removed_at = now() - interval '31 days' where removal_id = ${again.id}`.execute(
      db,
    )
    const late = await ada.call('POST', `/connectors/${id}/removal/undo`, { removal_id: again.id })
    expect(late.status).toBe(409)
    await purgeRemoved(app.deps, new AbortController().signal)
    expect(await pathsOf(id)).toHaveLength(8)
  }, 60_000)

  it('keeps the items when asked to, until the next sync asks again', async () => {
    const { id, removal } = await aQuestion()
    await ada.call('POST', `/connectors/${id}/removal`, { removal_id: removal?.id, answer: 'keep' })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 10, removal: null })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'asking' })
  })
})

describe('a removed connector', () => {
  it('deletes its documents, or leaves them to its owner', async () => {
    const gone = await connectFolder(aFolder(many(3)))
    const kept = await connectFolder(aFolder(many(2)))
    for (const { id } of [gone, kept]) await synced(ada, id)
    const [lost] = await documentsOf(app, gone.id)
    const [left] = await documentsOf(app, kept.id)
    await ada.call('POST', `/connectors/${gone.id}/remove`, { documents: 'delete' })
    await ada.call('POST', `/connectors/${kept.id}/remove`, { documents: 'keep' })
    const statusOf = async (who: Reader, id = '') => (await who.call('GET', `/documents/${id}`)).status
    await expect.poll(() => statusOf(ada, lost?.id), { timeout: 20_000 }).toBe(404)
    await expect.poll(() => statusOf(ada, left?.id), { timeout: 20_000 }).toBe(200)
    expect(await statusOf(bob, left?.id)).toBe(403)
    const shown = async () => (await ada.call('GET', `/connectors/${gone.id}`)).status
    await expect.poll(shown, { timeout: 20_000 }).toBe(404)
  })
})
