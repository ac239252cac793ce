import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type GitServer, startGitServer } from '#tests/git-server.ts'
import { firstPage } from '../../count-items.ts'
import { CursorExpired } from '../../define-connector.ts'
import { openSource } from '../../engine/open-source.ts'

let app: TestApp
let ada: Reader
let company: string
let git: GitServer
beforeAll(async () => {
  git = await startGitServer()
  app = await startApp({
    config: {
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
      ATRIUM_TOOLS_PRIVATE: git.url,
      ATRIUM_MAX_UPLOAD_MB: '3',
    },
  })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  git.close()
})

/** Similar files, which Git stores as changes of each other. */
const similar = (at: number) =>
  Array.from({ length: 200 }, (_, line) => `Line ${line}, file ${line === at ? at : ''}`)
let files: Record<string, string | Buffer | { link: string } | { submodule: string }>
beforeEach(() => {
  files = {}
  for (let at = 0; at < 20; at += 1) files[`docs/n ${at}.txt`] = similar(at).join('\n')
  files['Été & Co/Lot "3".md'] = 'The pumps of lot 3.'
  files['link.txt'] = { link: 'docs/n 1.txt' }
  files.module = { submodule: 'a'.repeat(40) }
  Object.assign(git, { fault: () => null, token: 'sesame' })
  git.commit(files, { isForced: true })
  git.git('repack', '-a', '-d', '-f', '-q')
  git.said.length = 0
})

const settingsOf = () => ({ address: git.url, token: git.token })
const connectGit = (more = {}) => connect(ada, company, { source: 'git', settings: settingsOf(), ...more })
const trial = (settings = {}) => ({
  ...{ source: 'git', company_id: company },
  settings: { ...settingsOf(), ...settings },
})
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)
const pushFiles = () => void git.commit(files)

type Entry = { mode: string; name: string | Buffer; oid: string }
const storeTree = (entries: Entry[]) =>
  git.store(
    'tree',
    Buffer.concat(
      entries.flatMap(({ mode, name, oid }) => [
        Buffer.from(`${mode} `),
        Buffer.from(name as string),
        Buffer.from([0]),
        Buffer.from(oid, 'hex'),
      ]),
    ),
  )
function pushTree(entries: Entry[]) {
  const who = 'Ada <ada@example.com> 1793000000 +0000'
  const commit = `tree ${storeTree(entries)}\nauthor ${who}\ncommitter ${who}\n\nHand-made\n`
  git.git('update-ref', 'refs/heads/main', git.store('commit', Buffer.from(commit)))
}

describe('a Git repository', () => {
  it('is read, and later only what changed, moved or disappeared', async () => {
    const { id } = await connectGit()
    expect(await synced(ada, id)).toMatchObject({
      ...{ state: 'ready', listed: 21, read: 21, refused: 0, error: null },
    })
    const before = await find(id, 'Été & Co/Lot "3".md')
    expect(before).toMatchObject({ name: 'Lot "3".md', tags: ['Été & Co'], version: 1 })
    const text = await ada.call('GET', `/documents/${(await find(id, 'docs/n 7.txt'))?.id}`)
    expect(text.body.size ?? text.body.bytes).toBe(Buffer.byteLength(similar(7).join('\n')))
    delete files['Été & Co/Lot "3".md']
    files['archive/lot-3.md'] = 'The pumps of lot 3.'
    files['docs/n 0.txt'] = 'Changed'
    files['docs/new.txt'] = 'New'
    delete files['docs/n 1.txt']
    pushFiles()
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 1, changed: 1, moved: 1, removed: 1, refused: 0 })
    expect(await find(id, 'archive/lot-3.md')).toMatchObject({
      id: before?.id,
      tags: ['archive'],
      version: 1,
    })
  })

  it('is fetched without its history, once for a sync, and leaves no files behind', async () => {
    files['old.bin'] = randomBytes(2_000_000)
    pushFiles()
    delete files['old.bin']
    pushFiles()
    git.said.length = 0
    const { id } = await connectGit()
    await synced(ada, id)
    await syncNow(ada, id)
    expect(git.said.filter((line) => line.startsWith('POST'))).toEqual(['POST /git-upload-pack'])
    expect(readdirSync(app.deps.config.dataDir).filter((name) => name.startsWith('pack-'))).toEqual([])
  })

  it('is browsed and counted, and another branch can be chosen', async () => {
    git.commit({ 'a/b/c.txt': 'Deep', 'a/d.txt': 'Draft' }, { branch: 'drafts/next' })
    const { body } = await ada.call('POST', '/connector-sources/browse', trial())
    expect(body.items).toEqual([
      { path: 'docs', name: 'docs', has_folders: false },
      { path: 'Été & Co', name: 'Été & Co', has_folders: false },
    ])
    const draft = trial({ branch: 'drafts/next' })
    const other = await ada.call('POST', '/connector-sources/browse', draft)
    expect(other.body.items).toEqual([{ path: 'a', name: 'a', has_folders: true }])
    const selection = { folders: ['a/b'], include: [], exclude: [] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...draft, selection })
    expect(counted.body).toMatchObject({ items: 1, bytes: 4, is_complete: true })
  })

  it('is read after a forced push, and asks when most files are gone', async () => {
    const { id } = await connectGit()
    await synced(ada, id)
    files['docs/n 2.txt'] = 'Rewritten'
    git.commit(files, { isForced: true })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, removal: null })
    expect(await countsOf(id)).toEqual({ added: 0, changed: 1, moved: 0, removed: 0, refused: 0 })
    git.commit({ 'README.md': 'Empty.' }, { isForced: true })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'asking', read: 21 })
  })

  it('keeps its documents when the branch is deleted, the token ends, or the server refuses', async () => {
    git.commit(files, { branch: 'work' })
    const { id } = await connectGit({ settings: { ...settingsOf(), branch: 'work' } })
    await synced(ada, id)
    const sync = () => syncNow(ada, id)
    git.git('update-ref', '-d', 'refs/heads/work')
    expect(await sync()).toMatchObject({
      state: 'failing',
      read: 21,
      error: 'The repository has no branch “work”.',
    })
    git.fault = () => ({ status: 404 })
    expect(await sync()).toMatchObject({
      state: 'failing',
      read: 21,
      error: expect.stringContaining('no such repository'),
    })
    git.commit(files, { branch: 'work' })
    let slow = 1
    git.fault = () => (slow-- > 0 ? { status: 429, headers: { 'retry-after': '1' } } : null)
    expect(await sync()).toMatchObject({ state: 'ready', read: 21, error: null })
    expect(slow).toBeLessThan(0)
    git.token = 'other'
    expect(await sync()).toMatchObject({ state: 'signed_out', read: 21, next_sync_at: null })
    await ada.call('PATCH', `/connectors/${id}`, { settings: { token: 'other' } })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
  }, 60_000)

  it('lists files that are too large, empty, or in Git LFS with the reason', async () => {
    files['large.bin'] = randomBytes(4_000_000)
    files['docs/empty.txt'] = ''
    files['model.bin'] = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`
    pushFiles()
    const { id } = await connectGit()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 21, refused: 3 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([
      { path: 'docs/empty.txt', reason: 'empty' },
      { path: 'large.bin', reason: 'too_large', size: 4_000_000 },
      { path: 'model.bin', reason: 'refused', detail: 'Its content is in Git LFS, which is not read.' },
    ])
  })

  it('says what is wrong with the address, the branch or the token', async () => {
    const errorOf = async (settings: Record<string, string>) => {
      const { body } = await ada.call('POST', '/connector-sources/try', trial(settings))
      return body.ok ? null : body.error
    }
    expect(await errorOf({})).toBeNull()
    expect(await errorOf({ token: 'wrong' })).toContain('refuses the sign-in')
    expect(await errorOf({ branch: 'none' })).toContain('no branch “none”')
    expect(await errorOf({ address: git.url.replace('handbook', 'other') })).toContain('no such repository')
    expect(await errorOf({ address: 'ssh://git@example.com/a.git' })).toContain('must begin with https://')
    expect(await errorOf({ address: 'http://127.0.0.1:9/a.git' })).toContain('not an address of the public')
    git.fault = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') })
    expect(await errorOf({})).toContain('does not answer as a Git server')
    git.fault = () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/x' } })
    expect(await errorOf({})).toContain('not an address of the public')
  })

  it('is only read', async () => {
    const { id } = await connectGit()
    await synced(ada, id)
    expect([...new Set(git.said)].sort()).toEqual(['GET /info/refs', 'POST /git-upload-pack'])
  })

  it('is read without entries whose names are paths, in the order of Git', async () => {
    const blob = git.git('rev-parse', 'main:docs/n 3.txt')
    const plain = ['a-b', 'a', '\u{1f600}', '\uffee'].map((name) => ({ mode: '100644', name, oid: blob }))
    const odd = ['..', '.', 'a/b', 'x'.repeat(2_000_000)].map((name) => ({ mode: '100644', name, oid: blob }))
    const folder = { mode: '40000', name: 'a', oid: storeTree([{ mode: '100755', name: 'x', oid: blob }]) }
    pushTree([...odd, ...plain.slice(0, 1), { ...folder, name: 'a' }, ...plain.slice(2).reverse()])
    const { id } = await connectGit()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 4, read: 4, error: null })
    const paths = (await documentsOf(app, id)).map(({ path }) => path).sort()
    expect(paths).toEqual(['a-b', 'a/x', '\u{1f600}', '\uffee'])
  })

  it('lists each file once and continues behind every one, whatever the order of its names', async () => {
    const blob = git.git('rev-parse', 'main:docs/n 3.txt')
    const file = (name: string | Buffer) => ({ mode: '100644', name, oid: blob })
    const folder = (name: string) => ({ mode: '40000', name, oid: storeTree([file('x'), file('b')]) })
    const badly = ['a.b', 'b', 'a', '\uffee', '\u{1f600}', 'b'].map(file)
    const latin = ['e9', 'e8'].map((hex) => file(Buffer.from(`${hex}2e747874`, 'hex')))
    pushTree([...badly, folder('z'), ...latin, folder('a-'), folder('c')])
    const paths = ['a', 'a-/b', 'a-/x', 'a.b', 'b', 'c/b', 'c/x', 'z/b', 'z/x']
    const wanted = [...paths, '\uffee', '\u{1f600}', '%E8.txt', '%E9.txt']
    const use = { connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) }
    const source = await openSource(app.deps, 'git', settingsOf(), use)
    const selection = { folders: [], include: [], exclude: [] }
    const { items } = await firstPage(source, selection, null)
    expect(items.map(({ path }) => path)).toEqual(
      wanted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
    const commit = git.git('rev-parse', 'main')
    for (const [at, { path }] of items.entries()) {
      const { items: rest } = await firstPage(source, selection, JSON.stringify({ commit, path }))
      expect(rest.map((one) => one.path)).toEqual(items.slice(at + 1).map((one) => one.path))
    }
    await expect(firstPage(source, selection, 'docs/n 3.txt')).rejects.toThrow(CursorExpired)
    await source.close?.()
    const { id } = await connectGit()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 13, read: 13, refused: 0 })
  })

  it('is not fetched again while its branch stays the same', async () => {
    const { id } = await connectGit()
    await synced(ada, id)
    // The fetched repository stays open for a while.
    const { closeIdle } = await import('./repository.ts')
    closeIdle()
    git.said.length = 0
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', listed: 21, read: 21 })
    expect(git.said).toEqual(['GET /info/refs'])
    files['docs/n 2.txt'] = 'Changed'
    delete files['docs/n 3.txt']
    pushFiles()
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', listed: 20, read: 20 })
    expect(await countsOf(id)).toEqual({ added: 0, changed: 1, moved: 0, removed: 1, refused: 0 })
    git.commit(files, { branch: 'work' })
    git.said.length = 0
    await ada.call('PATCH', `/connectors/${id}`, { settings: { branch: 'work' } })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 20 })
    expect(git.said).toContain('POST /git-upload-pack')
  })

  it('is listed again when its branch moves in the middle of a listing', async () => {
    for (let at = 0; at < 1_100; at += 1) files[`many/${at}.txt`] = `${at}`
    pushFiles()
    const selection = { folders: [], include: [], exclude: [] }
    const next = async (cursor: string | null) => {
      const use = { connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) }
      const source = await openSource(app.deps, 'git', settingsOf(), use)
      const page = await firstPage(source, selection, cursor)
      return { page, changes: source.changes }
    }
    const { page } = await next(null)
    files['docs/n 0.txt'] = 'Changed'
    pushFiles()
    const { page: last, changes } = await next(page.cursor)
    expect(last.cursor).toBeNull()
    expect(new Set([...page.items, ...last.items].map(({ id }) => id)).size).toBe(1_121)
    await expect(changes?.(selection, last.changes ?? '')).rejects.toThrow(CursorExpired)
  })

  it('whose folders name each other countless times fails', async () => {
    let tree = storeTree([{ mode: '100644', name: 'f', oid: git.git('rev-parse', 'main:docs/n 3.txt') }])
    for (let level = 0; level < 20; level += 1)
      tree = storeTree(['a', 'b'].map((name) => ({ mode: '40000', name, oid: tree })))
    pushTree([{ mode: '40000', name: 'top', oid: tree }])
    const { id } = await connectGit()
    expect(await synced(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 0 },
      error: expect.stringContaining('The repository is too large'),
    })
  })

  it('that sends a damaged or endless answer fails, and keeps its documents', async () => {
    const { id } = await connectGit()
    await synced(ada, id)
    const type = { 'content-type': 'application/x-git-upload-pack-result' }
    for (const body of [
      '0008NAK\n',
      '0008NAK\n0009\u0001PACK',
      'zzzz',
      '0000',
      '000fERR too bad\n',
      '0008NAK\n000e\u0003no\u0000 good\n',
    ]) {
      files['docs/n 3.txt'] = `Changed for ${body}`
      pushFiles()
      git.fault = ({ method }) =>
        method === 'POST' ? { status: 200, headers: type, body: Buffer.from(body, 'latin1') } : null
      expect(await syncNow(ada, id)).toMatchObject({ state: 'failing', read: 21 })
      git.fault = () => null
    }
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
  }, 60_000)
})
