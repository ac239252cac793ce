import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { aReplyWith, classesOf, openAll, restrict } from '#tests/classified.ts'
import { aReader } from '#tests/documents.ts'
import { archiveOf, importerOf, startTwo } from '#tests/imports/two-installations.ts'

let two: Awaited<ReturnType<typeof startTwo>>
beforeAll(async () => {
  two = await startTwo()
})
afterAll(() => two?.close())
beforeEach(async () => {
  two.old.user = await aUser(two.old.app, { role: 'member' })
  two.fresh.user = await aUser(two.fresh.app, { role: 'member' })
})

type Installation = (typeof two)['old']
async function companyOf({ app, user }: Installation): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select company_id as id from company_members where user_id = ${user.id}`.execute(app.deps.db)
  return rows[0]!.id
}

/** Creates documents of three classes, a project, and a chat with text of the strictest document. Returns the archive. */
async function anArchive() {
  const { app, url, user } = two.old
  const { db } = app.deps
  const reader = await aReader(app, url, user)
  const classes = await classesOf(app, await companyOf(two.old))
  const ids: string[] = []
  for (const [name, at] of [
    ['open.txt', 0],
    ['inner.txt', 1],
    ['secret.txt', 3],
  ] as const) {
    const { body } = await reader.upload({ name, content: `This is ${name}.` })
    await reader.processed(body.id)
    await sql`update documents set class_id = ${classes[at]} where id = ${body.id}`.execute(db)
    ids.push(body.id)
  }
  const project = await reader.call('POST', '/workspaces', { name: 'Leases', description: '' })
  await sql`update workspaces set class_id = ${classes[2]} where id = ${project.body.id}`.execute(db)
  const chat = await aReplyWith(app, user, { sources: [{ kind: 'document', id: ids[2]! }] })
  await sql`update sessions set active_leaf = ${chat.replyId} where id = ${chat.sessionId}`.execute(db)
  return archiveOf(app, importerOf(two.old))
}

const namesOf = async ({ app, user }: Installation, table: 'documents' | 'workspaces') => {
  const { rows } = await sql<{ name: string; class: string | null }>`
    select t.name, c.name as class from ${sql.table(table)} t left join data_classes c on c.id = t.class_id
    where t.user_id = ${user.id} ${table === 'workspaces' ? sql`and not t.is_default` : sql``} order by t.name`.execute(
    app.deps.db,
  )
  return rows.map(({ name, class: level }) => [name, level])
}

it.each(['another installation', 'the same installation, after everything was deleted'])(
  'an archive in %s keeps the classes of documents, projects and chats [GV-01]',
  async (where) => {
    const archive = await anArchive()
    if (where !== 'another installation') {
      const { app, user } = two.old
      for (const table of ['sessions', 'documents', 'workspaces'])
        await sql`delete from ${sql.table(table)} where user_id = ${user.id}`.execute(app.deps.db)
      two.old.user = await aUser(app, { role: 'member' })
    }
    const to = where === 'another installation' ? two.fresh : two.old
    const { state } = await importerOf(to).importAll(archive)
    expect(state).toBe('done')
    // A class from a file raises that of a new document, and never lowers it.
    expect(await namesOf(to, 'documents')).toEqual([
      ['inner.txt', 'Internal'],
      ['open.txt', 'Internal'],
      ['secret.txt', 'Strictly confidential'],
    ])
    expect(await namesOf(to, 'workspaces')).toEqual([['Leases', 'Confidential']])
    const company = await companyOf(to)
    const classes = await classesOf(to.app, company)
    const { rows } = await sql<{ id: string }>`select id from sessions where user_id = ${to.user.id}`.execute(
      to.app.deps.db,
    )
    const refused = () => importerOf(to).call('GET', `/sessions/${rows[0]?.id}/refused-providers`)
    await restrict(to.app, company, 'compatible', classes.slice(0, 3))
    expect((await refused()).body.items).toMatchObject([
      { provider: 'compatible', reason: expect.stringContaining('Strictly confidential') },
    ])
    await openAll(to.app, company)
  },
  60_000,
)
