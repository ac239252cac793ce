import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession, aUser } from '#tests/builders.ts'
import { aDocument as storeDocument } from '#tests/stored-document.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Found = { kind: string; id: string; title: string; detail: string | null; is_archived: boolean }

async function aDocument(user: { id: string }, name: string): Promise<string> {
  const { documentId } = await storeDocument(app, user)
  await app.deps.db.updateTable('documents').set({ name }).where('id', '=', documentId).execute()
  return documentId
}

async function aPerson(options: Parameters<typeof aUser>[1] = {}) {
  const user = await aUser(app, options)
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    payload?: object,
  ) => {
    const asked = { method, url: `/api/v1${path}`, headers: user.headers, ...(payload && { payload }) }
    const answer = await app.http.inject(asked)
    return { status: answer.statusCode, body: answer.body ? answer.json() : null }
  }
  const find = async (q: string, more = '') =>
    (await call('GET', `/palette?q=${encodeURIComponent(q)}${more}`)).body.items as Found[]
  const titles = async (q: string, more = '') => (await find(q, more)).map(({ title }) => title)
  const chat = async (title: string, daysAgo = 0) =>
    (await aSession(app, user, { title, updatedAt: new Date(Date.now() - daysAgo * 86_400_000) })).id
  const prompt = async (name: string, command: string) =>
    (await call('POST', '/prompts', { name, command, text: 'Hello' })).body.id as string
  return { ...user, call, find, titles, chat, prompt }
}

describe('search of the palette', () => {
  it('finds chats, projects, documents, assistants and prompts', async () => {
    const person = await aPerson()
    const session = await person.chat('Kessler brief')
    const workspace = (await person.call('POST', '/workspaces', { name: 'Kessler 2026' })).body.id
    const document = await aDocument(person, 'Avenant_2-Kessler.pdf')
    const assistant = (await person.call('POST', '/assistants', { name: 'Kessler analyst' })).body.id
    const prompt = await person.prompt('Relance fournisseur', 'relance-kessler')
    const found = await person.find('kess')
    expect(found.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
      [
        `session ${session}`,
        `workspace ${workspace}`,
        `document ${document}`,
        `assistant ${assistant}`,
        `prompt ${prompt}`,
      ].sort(),
    )
    expect(found.find(({ kind }) => kind === 'prompt')).toMatchObject({
      title: 'Relance fournisseur',
      detail: '/relance-kessler',
    })
    expect((await person.find('kess', '&kinds=document,prompt')).map(({ kind }) => kind).sort()).toEqual([
      'document',
      'prompt',
    ])
  })

  it('ignores case, accents and the order of words', async () => {
    const person = await aPerson()
    await person.chat('Étude de matérialité 2026')
    for (const q of ['etude', 'MATÉRIALITÉ étu', '2026 mat', 'e', 'eriali', 'étude de mat'])
      expect(await person.titles(q), q).toEqual(['Étude de matérialité 2026'])
    for (const q of ['tu', 'etude 2027', '%', '_', '\\', '"']) expect(await person.titles(q), q).toEqual([])
  })

  it('finds words of scripts without spaces', async () => {
    const person = await aPerson()
    await person.chat('東京の賃貸契約')
    await person.chat('Договор аренды')
    expect(await person.titles('契約')).toEqual(['東京の賃貸契約'])
    expect(await person.titles('аренд')).toEqual(['Договор аренды'])
  })

  it('lists the best match first, then the last used', async () => {
    const person = await aPerson()
    await person.chat('Unleased', 0)
    await person.chat('Lyon lease', 1)
    await person.chat('Lease of Lyon', 3)
    await person.chat('Lease of Paris', 2)
    expect(await person.titles('lease')).toEqual([
      'Lease of Paris',
      'Lease of Lyon',
      'Lyon lease',
      'Unleased',
    ])
    expect(await person.titles('lease', '&limit=1')).toEqual(['Lease of Paris'])
  })

  it('ranks an item higher after its use, and lists recent items without words', async () => {
    const person = await aPerson()
    const first = await person.prompt('Report A', 'a')
    await person.prompt('Report B', 'b')
    await person.chat('Lease', 1)
    expect(await person.titles('report')).toEqual(['Report B', 'Report A'])
    expect(await person.titles('')).toEqual(['Lease'])
    expect((await person.call('POST', '/palette/uses', { kind: 'prompt', id: first })).status).toBe(204)
    expect(await person.titles('report')).toEqual(['Report A', 'Report B'])
    expect(await person.titles('')).toEqual(['Report A', 'Lease'])
  })

  it('stores the newest 200 uses of a person', async () => {
    const person = await aPerson()
    await sql`insert into prompts (user_id, name, command, text)
      select ${person.id}, 'P' || n, 'p' || n, 'x' from generate_series(1, 205) n`.execute(app.deps.db)
    await sql`insert into search_uses (user_id, kind, item_id, used_at)
      select user_id, 'prompt', id, now() - row_number() over (order by id) * interval '1 day' from prompts
      where user_id = ${person.id}`.execute(app.deps.db)
    const used = await person.prompt('Last', 'last')
    await person.call('POST', '/palette/uses', { kind: 'prompt', id: used })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from search_uses where user_id = ${person.id}`.execute(app.deps.db)
    expect(rows[0]?.count).toBe(200)
    expect((await person.titles('', '&limit=1'))[0]).toBe('Last')
  })

  it('is limited to a project on request', async () => {
    const [person, stranger] = [await aPerson(), await aPerson()]
    const { id: project } = (await person.call('POST', '/workspaces', { name: 'Tender' })).body
    const inside = await person.chat('Tender inside')
    await person.chat('Tender outside')
    await app.deps.db
      .updateTable('sessions')
      .set({ workspace_id: project })
      .where('id', '=', inside)
      .execute()
    const document = await aDocument(person, 'Tender.pdf')
    await aDocument(person, 'Tender-2.pdf')
    await person.call('POST', `/documents/workspace/${project}/documents`, { document_ids: [document] })
    const prompt = await person.prompt('Tender prompt', 'tender')
    await person.prompt('Tender private', 'tender-2')
    await person.call('POST', `/prompts/${prompt}/shares`, { recipient: { who: 'project', id: project } })
    await person.call('POST', '/assistants', { name: 'Tender analyst' })
    const limit = `&workspace_id=${project}`
    expect((await person.titles('tender', limit)).sort()).toEqual(
      ['Tender', 'Tender inside', 'Tender prompt', 'Tender.pdf'].sort(),
    )
    expect(await person.titles('', limit)).toEqual(['Tender inside'])
    expect((await stranger.call('GET', `/palette?workspace_id=${project}`)).status).toBe(403)
  })

  it('follows renaming and deletion', async () => {
    const person = await aPerson()
    const id = await person.chat('Lease')
    const prompt = await person.prompt('Letter', 'letter')
    await person.call('POST', '/palette/uses', { kind: 'prompt', id: prompt })
    await person.call('PATCH', `/sessions/${id}/rename`, { title: 'Tender' })
    expect(await person.titles('lease')).toEqual([])
    expect(await person.titles('tender')).toEqual(['Tender'])
    await person.call('DELETE', `/sessions/${id}`)
    await person.call('DELETE', `/prompts/${prompt}`)
    expect(await person.titles('')).toEqual([])
    expect(await person.titles('tender')).toEqual([])
    expect(await person.titles('letter')).toEqual([])
  })

  it('finds archived chats and says so', async () => {
    const person = await aPerson()
    const session_id = await person.chat('Lease')
    await person.call('PUT', '/session-marks', { items: [{ session_id, is_archived: true }] })
    expect(await person.find('lease')).toMatchObject([{ title: 'Lease', is_archived: true }])
  })
})

describe('rights in the palette', () => {
  it('never finds things of others', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const id = await owner.chat('Secret lease')
    await aDocument(owner, 'Secret.pdf')
    const prompt = await owner.prompt('Secret', 'secret')
    expect(await stranger.titles('secret')).toEqual([])
    for (const use of [
      { kind: 'session', id },
      { kind: 'prompt', id: prompt },
    ])
      expect((await stranger.call('POST', '/palette/uses', use)).status).toBe(404)
  })

  it('finds a project, its documents and the chats shared with it, until the membership ends', async () => {
    const companyId = await aCompany(app)
    const owner = await aPerson({ role: 'company_admin', companyId })
    const member = await aPerson({ role: 'member', companyId })
    const { id: project } = (await owner.call('POST', '/workspaces', { name: 'Tender project' })).body
    const document = await aDocument(owner, 'Tender.pdf')
    await owner.call('POST', `/documents/workspace/${project}/documents`, { document_ids: [document] })
    const shared = await owner.chat('Tender shared')
    await owner.chat('Tender private')
    await app.deps.db
      .updateTable('sessions')
      .set({ workspace_id: project, shared_with_project: true })
      .where('id', '=', shared)
      .execute()
    expect(await member.titles('tender')).toEqual([])
    await sql`insert into workspace_members (workspace_id, person_id, within, role, added_by)
      values (${project}, ${member.id}, ${companyId}, 'reader', ${owner.id})`.execute(app.deps.db)
    expect((await member.titles('tender')).sort()).toEqual(['Tender project', 'Tender shared', 'Tender.pdf'])
    await sql`delete from workspace_members where person_id = ${member.id}`.execute(app.deps.db)
    expect(await member.titles('tender')).toEqual([])
  })

  it('never finds things in the trash, nor temporary chats before they are kept', async () => {
    const person = await aPerson()
    const id = await person.chat('Lease in the trash')
    await app.deps.db.updateTable('sessions').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    const { id: temporary } = (await person.call('POST', '/sessions', { is_temporary: true })).body
    await app.deps.db
      .updateTable('sessions')
      .set({ title: 'Lease for now' })
      .where('id', '=', temporary)
      .execute()
    expect(await person.titles('lease')).toEqual([])
    expect((await person.call('POST', `/sessions/${temporary}/keep`)).status).toBe(200)
    expect(await person.titles('lease')).toEqual(['Lease for now'])
  })

  it('finds shared assistants, prompts and company documents until the share ends', async () => {
    const companyId = await aCompany(app)
    const owner = await aPerson({ role: 'company_admin', companyId })
    const member = await aPerson({ role: 'member', companyId })
    const prompt = await owner.prompt('Quarter', 'quarter')
    await owner.call('POST', `/prompts/${prompt}/shares`, {
      recipient: { who: 'company', id: companyId },
    })
    const document = await aDocument(owner, 'Quarter.pdf')
    await app.deps.db
      .updateTable('documents')
      .set({ company_id: companyId })
      .where('id', '=', document)
      .execute()
    const { id: assistant } = (await owner.call('POST', '/assistants', { name: 'Quarter analyst' })).body
    await app.deps.db
      .updateTable('assistants')
      .set({ status: 'published' })
      .where('id', '=', assistant)
      .execute()
    await sql`insert into assistant_shares (assistant_id, access, person_id, within, shared_by)
      values (${assistant}, 'use', ${member.id}, ${companyId}, ${owner.id})`.execute(app.deps.db)
    expect((await member.titles('quarter')).sort()).toEqual(['Quarter', 'Quarter analyst', 'Quarter.pdf'])
    // A draft is for its editors alone, although its share is still there.
    await app.deps.db.updateTable('assistants').set({ status: 'draft' }).where('id', '=', assistant).execute()
    const { body: shares } = await owner.call('GET', `/prompts/${prompt}/shares`)
    await owner.call('DELETE', `/prompts/${prompt}/shares/${shares.items[0].id}`)
    await app.deps.db.updateTable('documents').set({ company_id: null }).where('id', '=', document).execute()
    expect(await member.titles('quarter')).toEqual([])
  })
})
