import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aMessage, aSession, aUser } from '#tests/builders.ts'
import { aDocument as storeDocument } from '#tests/stored-document.ts'
import { fillTexts } from './fill-texts-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Runs the job that indexes passages and long messages. */
const index = () => fillTexts(app.deps.db, new AbortController().signal)

type Hit = {
  kind: string
  id: string
  thing_id: string
  title: string
  excerpt: string
  is_title: boolean
  is_archived: boolean
  project: { name: string } | null
  person: { name: string }
}
type Group = { kind: string; items: Hit[]; cursor: string | null }

async function aPerson(options: Parameters<typeof aUser>[1] = {}) {
  const user = await aUser(app, options)
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const asked = { method, url: `/api/v1${path}`, headers: user.headers, ...(payload && { payload }) }
    const answer = await app.http.inject(asked)
    return { status: answer.statusCode, body: answer.body ? answer.json() : null }
  }
  const search = async (q: string, more: Record<string, string> = {}) =>
    call('GET', `/search?${new URLSearchParams({ q, ...more })}`)
  const groups = async (q: string, more = {}) => (await search(q, more)).body.groups as Group[]
  const hits = async (q: string, more = {}) => (await groups(q, more)).flatMap(({ items }) => items)
  const ids = async (q: string, more = {}) => (await hits(q, more)).map(({ id }) => id)
  const say = async (content: string, title = 'Chat', more: Partial<Parameters<typeof aMessage>[2]> = {}) => {
    const session = (await aSession(app, user, { title })).id
    return { session, message: (await aMessage(app, session, { content, ...more })).id }
  }
  const passage = async (text: string, name = 'File.pdf') => {
    const { documentId, chunkId } = await storeDocument(app, user)
    const { db } = app.deps
    await db.updateTable('documents').set({ name }).where('id', '=', documentId).execute()
    const { reading_id } = await db
      .selectFrom('documents')
      .select('reading_id')
      .where('id', '=', documentId)
      .executeTakeFirstOrThrow()
    await db.deleteFrom('chunks').where('id', '=', chunkId).execute()
    const id = randomUUID()
    const chunk = { id, reading_id, position: 0, element_id: 'e1', type: 'NarrativeText', text, place: '{}' }
    await db.insertInto('chunks').values(chunk).execute()
    await index()
    return { document: documentId, chunk: id }
  }
  const prompt = async (text: string, name = 'Prompt') =>
    (await call('POST', '/prompts', { name, command: `p-${randomUUID()}`, text })).body.id as string
  const fact = async (text: string, workspace_id: string | null = null) =>
    (await call('POST', '/facts', { text, workspace_id })).body.fact.id as string
  const project = async (name: string) => (await call('POST', '/workspaces', { name })).body.id as string
  return { ...user, call, search, groups, hits, ids, say, passage, prompt, fact, project }
}

const addMember = (project: string, person: string, within: string, by: string, role = 'reader') =>
  sql`insert into workspace_members (workspace_id, person_id, within, role, added_by)
    values (${project}, ${person}, ${within}, ${role}, ${by})`.execute(app.deps.db)

describe('search of everything', () => {
  it('finds messages, passages, prompts and facts with an excerpt that marks the words', async () => {
    const person = await aPerson()
    const { session, message } = await person.say('The **rent** of Kessler rises in May.', 'Lease')
    const { document, chunk } = await person.passage('Kessler pays the rent monthly.', 'Lease.pdf')
    const prompt = await person.prompt('Ask Kessler for the rent.')
    const fact = await person.fact('Our landlord Kessler collects rent on Mondays.')
    const hits = await person.hits('rent kessler')
    expect(hits.map(({ kind, id, thing_id, title }) => ({ kind, id, thing_id, title }))).toEqual([
      { kind: 'chat', id: message, thing_id: session, title: 'Lease' },
      { kind: 'document', id: chunk, thing_id: document, title: 'Lease.pdf' },
      { kind: 'prompt', id: prompt, thing_id: prompt, title: 'Prompt' },
      { kind: 'memory', id: fact, thing_id: fact, title: '' },
    ])
    expect(hits[0]?.excerpt).toBe('The \uE000rent\uE001 of \uE000Kessler\uE001 rises in May.')
    expect(hits[1]?.excerpt).toBe('\uE000Kessler\uE001 pays the \uE000rent\uE001 monthly.')
  })

  it('ignores case and accents, and finds the beginning of the last word only', async () => {
    const person = await aPerson()
    const { message } = await person.say('L’Étude de matérialité est prête.')
    for (const q of ['etude', 'MATÉRIALITÉ étu', 'étude mat', 'matérialité', 'de etude', 'prete'])
      expect(await person.ids(q), q).toEqual([message])
    for (const q of ['etu mat', 'étudede', 'tude', '“étu”', '%', '!', "it's"])
      expect(await person.ids(q), q).toEqual([])
  })

  it.each([
    ['東京の賃貸契約を更新する。', ['契約', '賃貸契', '"東京の賃貸"'], ['契賃', '大阪']],
    ['Договор аренды подписан.', ['договор', 'аренд', '«Договор аренды»'], ['«аренды договор»']],
    ['สัญญาเช่าสำนักงาน', ['เช่า', 'สัญญา'], ['บ้าน']],
    ['عقد الإيجار الجديد', ['عقد', 'الإيج'], ['قديم']],
    ['임대차 계약서', ['계약', '임대차'], ['월세']],
    ['किराया समझौता', ['समझौता', 'किरा'], ['मकान']],
  ])('finds words of “%s”', async (content, found, missed) => {
    const person = await aPerson()
    const { message } = await person.say(content)
    for (const q of found) expect(await person.ids(q), q).toEqual([message])
    for (const q of missed) expect(await person.ids(q), q).toEqual([])
  })

  it('finds a quoted phrase in its order', async () => {
    const person = await aPerson()
    const { message } = await person.say('The notice period is three months.')
    await person.say('Three notice letters, one period.')
    for (const q of ['"notice period"', '“Notice period”', 'months "notice period"'])
      expect(await person.ids(q), q).toEqual([message])
    expect(await person.ids('"period notice"')).toEqual([])
  })

  it('finds text anywhere in a long message, with the words around it', async () => {
    const person = await aPerson()
    const filler = 'All quiet on the western coast today. '.repeat(2_000)
    const { message } = await person.say(`${filler}The zanzibar clause applies. ${filler}`)
    await index()
    const [hit] = await person.hits('"zanzibar clause"')
    expect(hit?.id).toBe(message)
    expect(hit?.excerpt).toContain('The \uE000zanzibar clause\uE001 applies.')
    expect(hit?.excerpt.length).toBeLessThan(1_000)
  })

  it('finds a message of another branch, and titles of chats and documents', async () => {
    const person = await aPerson()
    const { session, message } = await person.say('Question about tariffs')
    const first = await aMessage(app, session, {
      parentId: message,
      role: 'assistant',
      content: 'Old ginkgo',
    })
    const second = await aMessage(app, session, {
      parentId: message,
      role: 'assistant',
      content: 'New maple',
    })
    await app.deps.db
      .updateTable('sessions')
      .set({ active_leaf: second.id })
      .where('id', '=', session)
      .execute()
    expect(await person.ids('ginkgo')).toEqual([first.id])
    const { document } = await person.passage('Nothing', 'Quarterly_Report-2026.pdf')
    const { session: named } = await person.say('Nothing else', 'Quarterly report')
    const titles = (await person.hits('quarterly rep')).map(({ id, is_title }) => ({ id, is_title }))
    expect(titles).toEqual([
      { id: named, is_title: true },
      { id: document, is_title: true },
    ])
  })

  it('returns HTML of a message as text', async () => {
    const person = await aPerson()
    await person.say('Look: <img src=x onerror="alert(1)"> and tapir')
    expect((await person.hits('tapir'))[0]?.excerpt).toContain('<img src=x onerror="alert(1)">')
  })

  it('continues each type with its cursor, without repeating or losing a hit', async () => {
    const person = await aPerson()
    const { session } = await person.say('Heron 0')
    for (let n = 1; n < 7; n += 1) await aMessage(app, session, { content: `Heron ${n}` })
    const seen: string[] = []
    let [group] = await person.groups('heron', { limit: '3' })
    const sizes = [group?.items.length]
    seen.push(...(group?.items ?? []).map(({ excerpt }) => excerpt))
    while (group?.cursor) {
      ;[group] = await person.groups('heron', { limit: '3', kinds: 'chat', after: group.cursor })
      sizes.push(group?.items.length)
      seen.push(...(group?.items ?? []).map(({ excerpt }) => excerpt))
    }
    expect(sizes).toEqual([3, 3, 1])
    expect(seen.map((text) => text.replace(/[^\d]/g, ''))).toEqual(['6', '5', '4', '3', '2', '1', '0'])
  })

  it('follows changes and deletions', async () => {
    const person = await aPerson()
    const { session } = await person.say('Ocelot')
    const { document } = await person.passage('Ocelot')
    const prompt = await person.prompt('Ocelot')
    const fact = await person.fact('The mascot of our office is an ocelot.')
    expect(await person.ids('ocelot')).toHaveLength(4)
    await person.call('PUT', `/prompts/${prompt}`, { text: 'Lynx' })
    await person.call('PUT', `/facts/${fact}`, { text: 'The mascot of our office is a lynx.' })
    expect(await person.ids('lynx')).toEqual([prompt, fact])
    await app.deps.db.deleteFrom('sessions').where('id', '=', session).execute()
    await app.deps.db.deleteFrom('documents').where('id', '=', document).execute()
    expect(await person.ids('ocelot')).toEqual([])
    await person.call('DELETE', `/prompts/${prompt}`)
    await person.call('DELETE', `/facts/${fact}`)
    expect(await person.ids('lynx')).toEqual([])
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from search_texts
      where kind <> 'chunk' and words @@ to_tsquery('simple', 'lynx | ocelot')`.execute(app.deps.db)
    expect(rows).toEqual([{ n: 0 }])
  })

  it('finds a reply once it is complete', async () => {
    const person = await aPerson()
    const { session } = await person.say('Hello')
    const { id } = await aMessage(app, session, {
      role: 'assistant',
      content: 'Half a walrus',
      status: 'streaming',
    })
    expect(await person.ids('walrus')).toEqual([])
    await app.deps.db
      .updateTable('messages')
      .set({ content: 'A whole walrus', status: 'completed' })
      .where('id', '=', id)
      .execute()
    expect(await person.ids('walrus whole')).toEqual([id])
  })

  it('finds the texts of a chat for its new owner', async () => {
    const [owner, heir] = [await aPerson(), await aPerson()]
    const { session, message } = await owner.say('Handed capybara', 'Handed')
    const { db } = app.deps
    await db.updateTable('sessions').set({ user_id: heir.id }).where('id', '=', session).execute()
    await index()
    expect([await heir.ids('capybara'), await owner.ids('capybara')]).toEqual([[message], []])
  })

  it('indexes a long message that changes while the job runs', async () => {
    const person = await aPerson()
    const { message } = await person.say(`Dugong ${'and so on '.repeat(2_000)}`)
    const { db } = app.deps
    const change = (content: string) => sql`update messages set content = ${content} where id = ${message}`
    await db.transaction().execute(async (trx) => {
      await change(`Manatee ${'and so on '.repeat(2_000)}`).execute(trx)
      await index()
    })
    await index()
    expect([await person.ids('manatee'), await person.ids('dugong')]).toEqual([[message], []])
  })

  it('indexes texts from before the index existed', async () => {
    const person = await aPerson()
    const { message } = await person.say('Pangolin')
    await sql`delete from search_texts where id = ${message}`.execute(app.deps.db)
    await sql`insert into search_backlog (kind, id) values ('message', ${message}), ('chunk', ${randomUUID()})`.execute(
      app.deps.db,
    )
    expect(await person.ids('pangolin')).toEqual([])
    await index()
    expect(await person.ids('pangolin')).toEqual([message])
    expect(await app.deps.db.selectFrom('search_backlog').selectAll().execute()).toEqual([])
  })
})

describe('filters of the search', () => {
  it('narrow by type, project, person, time, model and tag', async () => {
    const companyId = await aCompany(app)
    const owner = await aPerson({ role: 'company_admin', companyId })
    const person = await aPerson({ role: 'member', companyId })
    const project = await owner.project('Tender')
    await addMember(project, person.id, companyId, owner.id)
    const { db } = app.deps
    const shared = await owner.say('Falcon shared', 'Shared')
    await db
      .updateTable('sessions')
      .set({ workspace_id: project, shared_with_project: true })
      .where('id', '=', shared.session)
      .execute()
    const mine = await person.say('Falcon mine', 'Mine', { role: 'assistant' })
    await db
      .updateTable('messages')
      .set({ created_at: new Date('2020-05-05T12:00:00Z'), model_name: 'atrium/offline' })
      .where('id', '=', mine.message)
      .execute()
    await sql`select index_search_text('message', ${mine.message})`.execute(db)
    await person.call('PUT', '/session-marks', { items: [{ session_id: mine.session, add_tags: ['birds'] }] })
    const { document, chunk } = await person.passage('Falcon passage')
    await db
      .updateTable('documents')
      .set({ tags: ['birds'] })
      .where('id', '=', document)
      .execute()
    const prompt = await person.prompt('Falcon prompt')
    const fact = await owner.fact('The falcon of the tender nests on the roof.', project)
    expect((await person.ids('falcon')).sort()).toEqual(
      [shared.message, mine.message, chunk, prompt, fact].sort(),
    )
    const cases: [object, string[]][] = [
      [{ kinds: 'document,prompt' }, [chunk, prompt]],
      [{ workspace_id: project }, [shared.message, fact]],
      [{ person_id: owner.id }, [shared.message, fact]],
      [{ person_id: person.id, kinds: 'chat' }, [mine.message]],
      [{ to: '2020-05-06T00:00:00Z' }, [mine.message]],
      [{ from: '2020-05-06T00:00:00Z', kinds: 'chat' }, [shared.message]],
      [{ model: 'atrium/offline' }, [mine.message]],
      [{ tag: 'birds' }, [mine.message, chunk]],
      [{ tag: 'birds', workspace_id: project }, []],
    ]
    for (const [filter, expected] of cases)
      expect(await person.ids('falcon', filter), JSON.stringify(filter)).toEqual(expected)
    expect((await person.search('falcon', { workspace_id: project })).body.project_name).toBe('Tender')
  })
})

describe('rights of the search', () => {
  it('never finds things of others, nor tells a project of others', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    await owner.say('Secret gecko', 'Gecko')
    await owner.passage('Secret gecko', 'Gecko.pdf')
    await owner.prompt('Secret gecko')
    await owner.fact('The secret pet of our team is a gecko.')
    expect(await owner.ids('gecko')).toHaveLength(6)
    expect(await stranger.ids('gecko')).toEqual([])
    const project = await owner.project('Hidden')
    expect((await stranger.search('gecko', { workspace_id: project })).status).toBe(403)
  })

  it('finds what is shared until the share ends', async () => {
    const companyId = await aCompany(app)
    const owner = await aPerson({ role: 'company_admin', companyId })
    const member = await aPerson({ role: 'member', companyId })
    const { db } = app.deps
    const project = await owner.project('Tender')
    const { session } = await owner.say('Shared ibis')
    await db
      .updateTable('sessions')
      .set({ workspace_id: project, shared_with_project: true })
      .where('id', '=', session)
      .execute()
    await owner.say('Private ibis')
    const { document: placed } = await owner.passage('Placed ibis')
    await owner.call('POST', `/documents/workspace/${project}/documents`, { document_ids: [placed] })
    const { document: ofCompany } = await owner.passage('Company ibis')
    await db.updateTable('documents').set({ company_id: companyId }).where('id', '=', ofCompany).execute()
    const prompt = await owner.prompt('Prompt ibis')
    await owner.call('POST', `/prompts/${prompt}/shares`, { recipient: { who: 'project', id: project } })
    await owner.fact('The ibis of the tender eats at noon.', project)
    expect(await member.hits('ibis')).toHaveLength(1)
    await addMember(project, member.id, companyId, owner.id)
    const found = (await member.hits('ibis')).map(
      ({ kind, excerpt }) => `${kind} ${excerpt.replace(/[\uE000\uE001]/g, '')}`,
    )
    expect(found.sort()).toEqual([
      'chat Shared ibis',
      'document Company ibis',
      'document Placed ibis',
      expect.stringMatching(/^memory The ibis/),
      expect.stringMatching(/^prompt Prompt .*Prompt ibis$/),
    ])
    await sql`delete from workspace_members where person_id = ${member.id}`.execute(db)
    await db.updateTable('documents').set({ company_id: null }).where('id', '=', ofCompany).execute()
    expect(await member.hits('ibis')).toEqual([])
  })

  it('marks archived chats, and finds neither the trash nor temporary chats', async () => {
    const person = await aPerson()
    const { session, message } = await person.say('Archived okapi')
    await person.call('PUT', '/session-marks', { items: [{ session_id: session, is_archived: true }] })
    const trashed = await person.say('Trashed okapi', 'Okapi')
    const { document } = await person.passage('Trashed okapi', 'Okapi.pdf')
    const { id: temporary } = (await person.call('POST', '/sessions', { is_temporary: true })).body
    await aMessage(app, temporary, { content: 'Temporary okapi' })
    const { db } = app.deps
    const deleted = { deleted_at: new Date() }
    await db.updateTable('sessions').set(deleted).where('id', '=', trashed.session).execute()
    await db.updateTable('documents').set(deleted).where('id', '=', document).execute()
    expect((await person.hits('okapi')).map(({ id, is_archived }) => [id, is_archived])).toEqual([
      [message, true],
    ])
    const { rows } = await sql`select from search_texts where parent_id = ${temporary}`.execute(db)
    expect(rows).toEqual([])
    expect((await person.call('POST', `/sessions/${temporary}/keep`)).status).toBe(200)
    await index()
    expect(await person.hits('okapi')).toHaveLength(2)
  })
})
