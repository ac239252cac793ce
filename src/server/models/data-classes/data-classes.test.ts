import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import {
  aClassified,
  aClassifiedConnector,
  aClassifiedProject,
  aReplyWith,
  classesOf,
} from '#tests/classified.ts'
import { mergeClasses } from './data-classes.ts'

let app: TestApp
let house: string
let admin: TestUser
let member: TestUser
let classes: string[]
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_COMPATIBLE_URL: 'http://127.0.0.1:9/v1' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  house = await aCompany(app, 'Orsane')
  admin = await aUser(app, { role: 'company_admin', companyId: house })
  member = await aUser(app, { role: 'member', companyId: house })
  classes = await classesOf(app, house)
})

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
async function send(who: TestUser, method: Method, path: string, payload?: object) {
  const { headers } = who
  const answer = await app.http.inject({
    method,
    url: `/api/v1${path}`,
    headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.payload ? answer.json() : null }
}
const path = () => `/admin/companies/${house}/classes`
const list = async () =>
  (await send(admin, 'GET', path())).body.items as { id: string; name: string; used: number }[]
const names = async () => (await list()).map(({ name }) => name)
const audited = async (did: string) => {
  const { rows } = await sql<{ subject: string; changes: object[] }>`
    select subject, changes from audit_entries where did = ${did} and company_id = ${house} order by id`.execute(
    app.deps.db,
  )
  return rows
}

describe('the classes of a company', () => {
  it('are four at first, of which new documents get Internal', async () => {
    expect(await names()).toEqual(['Public', 'Internal', 'Confidential', 'Strictly confidential'])
    const { rows } = await sql<{ id: string; class_id: string }>`
      insert into documents (user_id, name, extension, size, reading_id)
      select ${member.id}, 'a.txt', 'txt', 1, reading_id from documents where id = ${await aClassified(app, member, null)}
      returning id, class_id`.execute(app.deps.db)
    expect(rows[0]?.class_id).toBe(classes[1])
  })

  it('are named in the language of the first administrator until one is renamed', async () => {
    const { db } = app.deps
    const french = ['Public', 'Interne', 'Confidentiel', 'Strictement confidentiel']
    const speak = (user: TestUser, language: string) =>
      send(user, 'PUT', '/users/me/preferences', { language })
    house = await aCompany(app, 'Maison')
    const first = await aUser(app)
    await speak(first, 'fr')
    const join = (user: TestUser, role: string) =>
      sql`insert into company_members (company_id, user_id, role) values (${house}, ${user.id}, ${role})`.execute(
        db,
      )
    await join(member, 'member')
    await join(first, 'company_admin')
    admin = first
    expect(await names()).toEqual(french)
    // Another administrator, and a language that the first one chooses later among others, change nothing.
    await join(await aUser(app), 'company_admin')
    await speak(first, 'en')
    expect(await names()).toEqual(french)
    house = await aCompany(app, 'Orsane')
    await join(first, 'company_admin')
    await speak(first, 'fr')
    expect(await names()).toEqual(french)
    const [, , secret] = await list()
    await send(first, 'PATCH', `${path()}/${secret?.id}`, { name: 'Secret' })
    await speak(first, 'en')
    expect(await names()).toEqual(['Public', 'Interne', 'Secret', 'Strictement confidentiel'])
  })

  it('are added, renamed, moved and made the default, with entries in the audit log', async () => {
    const { status, body } = await send(admin, 'POST', path(), { name: 'Sealed' })
    expect([status, body.position]).toEqual([201, 4])
    expect((await send(admin, 'POST', path(), { name: 'sealed' })).status).toBe(409)
    expect((await send(admin, 'PATCH', `${path()}/${body.id}`, { name: 'Public' })).status).toBe(409)
    const moved = await send(admin, 'PATCH', `${path()}/${body.id}`, {
      name: 'Draft',
      position: 1,
      is_default: true,
    })
    expect(moved.body).toMatchObject({ name: 'Draft', position: 1, is_default: true })
    expect(await names()).toEqual(['Public', 'Draft', 'Internal', 'Confidential', 'Strictly confidential'])
    expect((await audited('data_class.changed'))[0]?.changes).toEqual([
      { what: 'name', before: 'Sealed', after: 'Draft' },
      { what: 'position', before: '5', after: '2' },
      { what: 'default', before: null, after: 'Draft' },
    ])
    expect(await audited('data_class.added')).toMatchObject([{ subject: 'Sealed' }])
  })

  it('are removed only while nothing carries them', async () => {
    const one = `${path()}/${classes[2]}`
    const document = await aClassified(app, member, classes[2]!)
    await aReplyWith(app, member, { sources: [{ kind: 'document', id: document }] })
    expect((await send(admin, 'DELETE', one)).status).toBe(409)
    // The reply made from the document keeps the class.
    await sql`delete from documents where id = ${document}`.execute(app.deps.db)
    expect((await list()).find(({ id }) => id === classes[2])?.used).toBe(1)
    expect((await send(admin, 'DELETE', one)).status).toBe(409)
    await sql`delete from runs where user_id = ${member.id}`.execute(app.deps.db)
    expect((await send(admin, 'DELETE', one)).status).toBe(204)
    expect((await send(admin, 'DELETE', `${path()}/${classes[1]}`)).body.detail).toContain('New documents')
  })

  it('belong to the administrators of their company', async () => {
    const other = await aUser(app, { role: 'company_admin' })
    expect((await send(other, 'GET', path())).status).toBe(403)
    expect((await send(member, 'POST', path(), { name: 'Mine' })).status).toBe(403)
    expect((await send(member, 'GET', '/classes')).body.items.map(({ id }: { id: string }) => id)).toEqual(
      classes,
    )
  })

  it('limit what a provider receives, which starts with everything', async () => {
    const receivers = async () => (await send(admin, 'GET', path())).body.receivers
    expect(await receivers()).toMatchObject([
      { id: 'compatible', kind: 'models', classes: null },
      { id: 'web', classes: null },
      { id: 'tools', classes: null },
    ])
    const put = (id: string, value: string[] | null) =>
      send(admin, 'PUT', `/admin/companies/${house}/class-receivers/${id}`, { classes: value })
    expect((await put('compatible', classes.slice(0, 2))).status).toBe(200)
    expect((await receivers())[0].classes).toEqual(classes.slice(0, 2))
    expect((await put('nobody', null)).status).toBe(404)
    expect((await put('web', [crypto.randomUUID()])).status).toBe(404)
    await put('compatible', null)
    expect((await receivers())[0].classes).toBeNull()
    expect(await audited('data_class.receiver_changed')).toHaveLength(2)
  })

  it('follow what carries them into the company it is merged into', async () => {
    const into = await aCompany(app, 'Merged')
    const theirs = await classesOf(app, into)
    const { body: own } = await send(admin, 'POST', path(), { name: 'Sealed' })
    const strict = await aClassified(app, member, classes[3]!)
    const sealed = await aClassified(app, member, own.id)
    await send(admin, 'PUT', `/admin/companies/${house}/class-receivers/compatible`, {
      classes: classes.slice(0, 2),
    })
    await mergeClasses(app.deps.db, { from: house, into })
    const { rows } = await sql<{ id: string; class_id: string }>`
      select id, class_id from documents where id in (${strict}, ${sealed})`.execute(app.deps.db)
    const classOf = (id: string) => rows.find((row) => row.id === id)?.class_id
    expect([classOf(strict), classOf(sealed)]).toEqual([theirs[3], own.id])
    const { rows: open } = await sql<{ class_id: string }>`
      select class_id from class_receiver_classes where company_id = ${into}`.execute(app.deps.db)
    expect(open.map(({ class_id }) => class_id).sort()).toEqual(theirs.slice(0, 2).sort())
  })
})

describe('the class of a thing', () => {
  const put = (who: TestUser, thing: string, at: number | null) =>
    send(who, 'PUT', `/${thing}/class`, { class_id: at === null ? null : (classes[at] ?? '') })

  it('is raised by those who may edit it, and lowered by an administrator', async () => {
    const mine = `documents/${await aClassified(app, member, classes[1]!)}`
    expect((await put(member, mine, 3)).body).toMatchObject({ class_id: classes[3], can_lower: false })
    expect((await put(member, mine, 2)).status).toBe(403)
    expect((await put(member, mine, null)).status).toBe(403)
    expect((await put(admin, mine, 3)).status).toBe(403)
    const theirs = `documents/${await aClassified(app, admin, classes[3]!)}`
    expect((await put(admin, theirs, 0)).body).toMatchObject({ class_id: classes[0], can_lower: true })
    expect((await audited('data_class.chosen')).at(-1)?.changes).toEqual([
      { what: 'class', before: 'Strictly confidential', after: 'Public' },
    ])
  })

  it('of a document of the company is changed by its administrators, who need not own it', async () => {
    const id = await aClassified(app, member, classes[3]!)
    const document = `documents/${id}`
    const shown = async (who: TestUser) => (await send(who, 'GET', `/${document}/class`)).body
    await sql`update documents set company_id = ${house} where id = ${id}`.execute(app.deps.db)
    const colleague = await aUser(app, { role: 'member', companyId: house })
    const other = await aCompany(app, 'Else')
    const elsewhere = await aUser(app, { role: 'company_admin', companyId: other })
    await sql`insert into company_members (company_id, user_id) values (${house}, ${elsewhere.id})`.execute(
      app.deps.db,
    )
    for (const user of [colleague, elsewhere]) {
      expect(await put(user, document, 1)).toMatchObject({
        ...{ status: 403, body: { detail: 'You cannot change this document.' } },
      })
      expect(await shown(user)).toMatchObject({ can_change: false })
    }
    expect(await shown(admin)).toMatchObject({ can_change: true, can_lower: true })
    expect((await put(admin, document, 1)).body).toMatchObject({ class_id: classes[1] })
    expect((await audited('data_class.chosen')).at(-1)?.changes).toEqual([
      { what: 'class', before: 'Strictly confidential', after: 'Internal' },
    ])
    // They choose no class of what they may not read, nor of an item of a connector.
    await sql`update documents set company_id = null where id = ${id}`.execute(app.deps.db)
    expect((await put(admin, document, 0)).status).toBe(403)
    const connector = await aClassifiedConnector(app, admin, classes[3]!)
    await sql`update documents set company_id = ${house}, connector_id = ${connector} where id = ${id}`.execute(
      app.deps.db,
    )
    expect((await put(admin, document, 0)).status).toBe(403)
  })

  it('is lowered by administrators, and by managers of a project with the document that someone else owns', async () => {
    const id = await aClassified(app, member, classes[3]!)
    const [own, other] = [
      await aClassifiedProject(app, member, null),
      await aClassifiedProject(app, admin, null),
    ]
    for (const project of [own, other])
      await sql`insert into workspace_documents (workspace_id, document_id) values (${project}, ${id})`.execute(
        app.deps.db,
      )
    expect((await put(member, `documents/${id}`, 1)).status).toBe(403)
    expect((await send(member, 'GET', `/documents/${id}/class`)).body.can_lower).toBe(false)
    const ofAdmin = await aClassified(app, admin, classes[3]!)
    await sql`insert into workspace_documents (workspace_id, document_id) values (${other}, ${ofAdmin})`.execute(
      app.deps.db,
    )
    expect((await put(admin, `documents/${ofAdmin}`, 1)).status).toBe(200)
    await sql`insert into workspace_members (workspace_id, person_id, within, role) values (${other}, ${member.id}, ${house}, 'manager')`.execute(
      app.deps.db,
    )
    expect((await put(member, `documents/${id}`, 1)).status).toBe(200)
  })

  it('is at least as strict as its project and its connector', async () => {
    const id = await aClassified(app, member, classes[0]!)
    const project = await aClassifiedProject(app, member, null)
    await sql`insert into workspace_documents (workspace_id, document_id) values (${project}, ${id})`.execute(
      app.deps.db,
    )
    expect((await put(member, `workspaces/${project}`, 2)).status).toBe(200)
    const { body } = await send(member, 'GET', `/documents/${id}/class`)
    expect(body).toMatchObject({
      class_id: classes[0],
      effective: { id: classes[2] },
      inherited_from: { kind: 'project' },
    })
    const found = await send(member, 'GET', `/documents?class_id=${classes[2]}`)
    expect(found.body.items.map((one: { id: string }) => one.id)).toEqual([id])
    const connector = await aClassifiedConnector(app, member, null)
    expect((await put(member, `connectors/${connector}`, 3)).status).toBe(200)
    expect((await put(member, `connectors/${connector}`, 1)).status).toBe(403)
  })

  it('stays with the documents of a connector that is removed', async () => {
    const id = await aClassified(app, member, classes[1]!)
    const connector = await aClassifiedConnector(app, member, classes[3]!)
    await sql`update documents set connector_id = ${connector}, class_id = null where id = ${id}`.execute(
      app.deps.db,
    )
    const read = async () => {
      const { rows } = await sql<{ own: string | null; counts: string }>`
        select class_id as own, classes_of_document(id) as counts from documents where id = ${id}`.execute(
        app.deps.db,
      )
      return rows[0]
    }
    expect(await read()).toEqual({ own: null, counts: classes[3] })
    await sql`delete from connectors where id = ${connector}`.execute(app.deps.db)
    expect(await read()).toEqual({ own: classes[3], counts: classes[3] })
  })

  it.each([
    ['leaves', sql`update documents set connector_id = null where connector_id`],
    ['loses', sql`delete from connectors where id`],
  ])('is at least that of a connector which a document %s', async (_, leave) => {
    const ids = [await aClassified(app, member, classes[0]!), await aClassified(app, member, classes[3]!)]
    const connector = await aClassifiedConnector(app, member, classes[2]!)
    await sql`update documents set connector_id = ${connector} where id = any(${ids}::uuid[])`.execute(
      app.deps.db,
    )
    await sql`${leave} = ${connector}`.execute(app.deps.db)
    const { rows } = await sql<{ class_id: string }>`
      select class_id from documents where id = any(${ids}::uuid[]) order by id = ${ids[1]}`.execute(
      app.deps.db,
    )
    expect(rows.map(({ class_id }) => class_id)).toEqual([classes[2], classes[3]])
  })

  it('is one of the person’s own company', async () => {
    const other = await classesOf(app, await aCompany(app, 'Elsewhere'))
    const id = await aClassified(app, member, classes[1]!)
    expect((await send(member, 'PUT', `/documents/${id}/class`, { class_id: other[3] })).status).toBe(404)
  })
})
