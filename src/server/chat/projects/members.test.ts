import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayInProject, type ProjectAction, ProjectRole, projectActions } from '#shared/chat/projects/roles.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'

let app: TestApp
let base: string
let companyId: string
let ada: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  companyId = await aCompany(app)
  await app.deps.db
    .updateTable('companies')
    .set({ members_share: true })
    .where('id', '=', companyId)
    .execute()
  ada = await aColleague()
})
afterAll(() => app.close())

const aColleague = async () => aReader(app, base, await aUser(app, { role: 'member', companyId }))
const aProject = async () => (await ada.call('POST', '/workspaces', { name: 'Contracts' })).body.id as string

async function aGroup(...members: TestUser[]): Promise<string> {
  const { db } = app.deps
  const group = { company_id: companyId, name: `Sales ${Math.random()}` }
  const { id } = await db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
  for (const { id: user_id } of members)
    await db.insertInto('group_members').values({ group_id: id, company_id: companyId, user_id }).execute()
  return id
}

const add = (project: string, role: ProjectRole, id: string, who: 'person' | 'group' = 'person') =>
  ada.call('POST', `/projects/${project}/members`, { recipient: { who, id }, role })

/** Creates a person's chat in a project, shared with it by default. */
async function aChat(of: Reader, workspace_id: string, { isShared = true } = {}): Promise<string> {
  const { id: session_id } = await aSession(app, of.user, { turns: 1 })
  const items = [{ session_id, workspace_id, is_shared: isShared }]
  expect((await of.call('PUT', '/session-projects', { items })).status).toBe(200)
  return session_id
}

type Project = { id: string; chatId: string; documentId: string; memberId: string }
const recipientOf = async (user: TestUser) => ({ who: 'person', id: user.id })

/** Tries each action of the table and returns the statuses of its calls. */
const tries: Record<ProjectAction, (as: Reader, project: Project) => Promise<number[]>> = {
  read_chats: async (as, { id, chatId }) => {
    const listed = await as.call('GET', `/sessions?workspace_id=${id}`)
    const isListed = listed.body.items?.some((chat: { id: string }) => chat.id === chatId)
    const paths = ['', '/active-branch', '/tree', '/checkpoints']
    const read = await Promise.all(paths.map((path) => as.call('GET', `/sessions/${chatId}${path}`)))
    return [listed.status, isListed ? 200 : 404, ...read.map(({ status }) => status)]
  },
  read_documents: async (as, { id, documentId }) => {
    const listed = await as.call('GET', `/documents?workspace_id=${id}`)
    const isListed = listed.body.items?.some((document: { id: string }) => document.id === documentId)
    return [(await as.call('GET', `/documents/${documentId}`)).status, isListed ? 200 : 404]
  },
  begin_chats: async (as, { id }) => [(await as.call('POST', '/sessions', { workspace_id: id })).status],
  reply_in_chats: async (as, { chatId }) => [
    (await as.call('POST', `/sessions/${chatId}/messages`, { content: 'Go', without_reply: true })).status,
  ],
  stop_replies: async (as, { chatId }) => [(await as.call('POST', `/sessions/${chatId}/stop`)).status],
  add_documents: async (as, { id }) => [
    (await as.upload({ name: `${Math.random()}.txt`, content: 'x', fields: { workspace_id: id } })).status,
  ],
  change_settings: async (as, { id }) => [
    (await as.call('PUT', `/projects/${id}`, { colour: 'red' })).status,
    (await as.call('PUT', `/workspaces/${id}`, { name: 'Renamed' })).status,
  ],
  change_members: async (as, { id, memberId }) => {
    const other = await aUser(app, { role: 'member', companyId })
    const recipient = await recipientOf(other)
    return [
      (await as.call('POST', `/projects/${id}/members`, { recipient, role: 'reader' })).status,
      (await as.call('PATCH', `/projects/${id}/members/${memberId}`, { role: 'reader' })).status,
      (await as.call('DELETE', `/projects/${id}/members/${memberId}`)).status,
    ]
  },
  set_budget: async (as, { id }) => [
    (await as.call('PUT', `/projects/${id}/budget`, { period: 'month', amount: 5 })).status,
  ],
  duplicate_project: async (as, { id }) => {
    const copy = { id: randomUUID(), name: 'Copy', documents: true, chats: true, memory: true }
    return [(await as.call('POST', `/projects/${id}/copies`, copy)).status]
  },
  archive_project: async (as, { id }) => [
    (await as.call('PUT', `/projects/${id}/archive`)).status,
    (await as.call('DELETE', `/projects/${id}/archive`)).status,
  ],
  delete_project: async (as, { id }) => {
    const other = await aProject()
    const copied = await ada.call('GET', `/projects/${id}/members`)
    const own = copied.body.items.find((one: { recipient_id: string }) => one.recipient_id === as.user.id)
    if (own) await add(other, own.role, as.user.id)
    return [
      (await as.call('GET', `/projects/${id}/contents`)).status,
      (await as.call('POST', `/projects/${id}/deletion`, { chats: 'keep', documents: 'keep' })).status,
      (await as.call('DELETE', `/workspaces/${other}`)).status,
    ]
  },
}

/** Creates a project with a shared chat, a document and a member that no test acts as. */
async function aFullProject(): Promise<Project> {
  const id = await aProject()
  const uploaded = await ada.upload({ name: 'a.txt', content: 'Text', fields: { workspace_id: id } })
  const other = await aUser(app, { role: 'member', companyId })
  const { body } = await add(id, 'reader', other.id)
  const memberId = body.items.find((one: { recipient_id: string }) => one.recipient_id === other.id).id
  return { id, chatId: await aChat(ada, id), documentId: uploaded.body.id, memberId }
}

describe('members of a project', () => {
  const table = projectActions.flatMap((action) =>
    [...ProjectRole.options, null].map((role) => ({ action, role })),
  )
  it.each(table)(
    '$role may $action exactly when the table of roles allows it [PJ-05]',
    async ({ action, role }) => {
      const project = await aFullProject()
      const member = await aColleague()
      if (role) await add(project.id, role, member.user.id)
      const statuses = await tries[action](member, project)
      const isAllowed = role !== null && mayInProject(role, action)
      const refused = statuses.filter((status) => status === 403 || status === 404)
      expect(refused.length, `${statuses}`).toBe(isAllowed ? 0 : statuses.length)
      if (isAllowed)
        expect(
          statuses.every((status) => status < 300),
          `${statuses}`,
        ).toBe(true)
    },
  )

  it('have the highest role of their own and of their groups', async () => {
    const project = await aProject()
    const member = await aColleague()
    await add(project, 'reader', member.user.id)
    await add(project, 'writer', await aGroup(member.user), 'group')
    expect((await member.call('GET', `/projects/${project}`)).body.role).toBe('writer')
    const { body } = await member.call('GET', `/projects/${project}/members`)
    expect(body.items).toMatchObject([
      { id: null, name: ada.user.username, role: 'manager', is_me: false },
      { who: 'group', role: 'writer', people: 1 },
      { who: 'person', role: 'reader', is_me: true },
    ])
  })

  it('cannot read chats that are not shared, nor documents that others added', async () => {
    const project = await aProject()
    const member = await aColleague()
    await add(project, 'manager', member.user.id)
    const chatId = await aChat(ada, project, { isShared: false })
    expect((await member.call('GET', `/sessions/${chatId}`)).status).toBe(403)
    const { body } = await member.call('GET', `/sessions?workspace_id=${project}`)
    expect(body).toMatchObject({ items: [], total: 0 })
    const carl = await aColleague()
    const own = await carl.upload({ name: 'c.txt', content: 'C' })
    await app.deps.db
      .insertInto('workspace_documents')
      .values({ workspace_id: project, document_id: own.body.id, added_by: ada.user.id })
      .execute()
    expect((await member.call('GET', `/documents/${own.body.id}`)).status).toBe(403)
  })

  it('lose access immediately when they are removed, in open streams and in things of their own runs [PJ-05]', async () => {
    const { id, chatId, documentId } = await aFullProject()
    const member = await aColleague()
    const { body } = await add(id, 'writer', member.user.id)
    const memberId = body.items.find((one: { is_me: boolean; recipient_id: string }) => {
      return one.recipient_id === member.user.id
    }).id
    const run = { user_id: member.user.id, session_id: chatId, agent_type: 'multi_turn', agent_version: 1 }
    const made = await app.deps.db
      .insertInto('runs')
      .values({ ...run, state: 'completed' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const execution = crypto.randomUUID()
    await app.deps.db
      .insertInto('tool_executions')
      .values({
        ...{ id: execution, run_id: made.id, user_id: member.user.id, session_id: chatId },
        ...{ tool_id: 'calculator', input: '{}', status: 'complete' },
      })
      .execute()
    const stream = await openStream(`${base}/sessions/${chatId}/events`, { headers: member.user.headers })
    await stream.until('connection_established')
    expect((await member.call('GET', `/tool-executions/${execution}`)).status).toBe(200)
    expect((await ada.call('GET', `/tool-executions/${execution}`)).status).toBe(200)
    const removedAt = performance.now()
    expect((await ada.call('DELETE', `/projects/${id}/members/${memberId}`)).status).toBe(200)
    await stream.ended
    expect(performance.now() - removedAt).toBeLessThan(5_000)
    const paths = [
      ...[`/sessions/${chatId}`, `/documents/${documentId}`, `/projects/${id}`],
      `/tool-executions/${execution}`,
    ]
    for (const path of paths) expect((await member.call('GET', path)).status, path).toBe(403)
    expect((await ada.call('GET', `/tool-executions/${execution}`)).status).toBe(200)
  })

  it('take the chats they shared with them, so that they read nothing written after they left', async () => {
    const project = await aProject()
    const [member, mate] = [await aColleague(), await aColleague()]
    await add(project, 'writer', member.user.id)
    await add(project, 'writer', mate.user.id)
    const chatId = await aChat(member, project)
    const read = async (as: Reader) => (await as.call('GET', `/sessions/${chatId}`)).status
    const shown = async () => {
      const { body } = await mate.call('GET', `/sessions?workspace_id=${project}`)
      return [body.items.length, (await mate.call('GET', `/projects/${project}`)).body.chat_count]
    }
    expect([await read(mate), await read(ada), ...(await shown())]).toEqual([200, 200, 1, 1])
    const stream = await openStream(`${base}/sessions/${chatId}/events`, { headers: mate.user.headers })
    await stream.until('connection_established')
    const leftAt = performance.now()
    expect((await member.call('DELETE', `/projects/${project}/membership`)).status).toBe(200)
    await stream.ended
    expect(performance.now() - leftAt).toBeLessThan(20_000)
    expect([await read(mate), await read(ada), ...(await shown())]).toEqual([403, 403, 0, 0])
    const reply = { content: 'The price is 4.', without_reply: true }
    expect((await mate.call('POST', `/sessions/${chatId}/messages`, reply)).status).toBe(403)
    expect(await read(member)).toBe(200)
  })

  it.each(['group', 'company'] as const)(
    'take the chats they shared when they leave the %s',
    async (left) => {
      const project = await aProject()
      const member = await aColleague()
      const group = left === 'group' ? await aGroup(member.user) : null
      await add(project, 'reader', group ?? member.user.id, group ? 'group' : 'person')
      const chatId = await aChat(member, project)
      expect((await ada.call('GET', `/sessions/${chatId}`)).status).toBe(200)
      const { db } = app.deps
      const table = group ? ('group_members' as const) : ('company_members' as const)
      await db.deleteFrom(table).where('user_id', '=', member.user.id).execute()
      expect((await ada.call('GET', `/sessions/${chatId}`)).status).toBe(403)
    },
  )

  it('lose access immediately when they leave the group that gave it', async () => {
    const { id, chatId } = await aFullProject()
    const member = await aColleague()
    const group = await aGroup(member.user)
    await add(id, 'reader', group, 'group')
    const stream = await openStream(`${base}/sessions/${chatId}/events`, { headers: member.user.headers })
    await stream.until('connection_established')
    await app.deps.db.deleteFrom('group_members').where('group_id', '=', group).execute()
    await stream.ended
    expect((await member.call('GET', `/sessions/${chatId}`)).status).toBe(403)
  })

  it('lose their membership when they leave the company, and get none back by returning', async () => {
    const project = await aProject()
    const member = await aColleague()
    await add(project, 'reader', member.user.id)
    const { db } = app.deps
    await db.deleteFrom('company_members').where('user_id', '=', member.user.id).execute()
    expect((await member.call('GET', `/projects/${project}`)).status).toBe(403)
    await db
      .insertInto('company_members')
      .values({ user_id: member.user.id, company_id: companyId, role: 'member' })
      .execute()
    expect((await member.call('GET', `/projects/${project}`)).status).toBe(403)
  })

  it('can leave; the owner and people of a group cannot', async () => {
    const project = await aProject()
    const member = await aColleague()
    const grouped = await aColleague()
    await add(project, 'reader', member.user.id)
    await add(project, 'reader', await aGroup(grouped.user), 'group')
    expect((await ada.call('DELETE', `/projects/${project}/membership`)).status).toBe(409)
    expect((await grouped.call('DELETE', `/projects/${project}/membership`)).status).toBe(409)
    expect((await member.call('DELETE', `/projects/${project}/membership`)).status).toBe(200)
    expect((await member.call('GET', `/projects/${project}`)).status).toBe(403)
  })

  it('come from companies where the manager may share; the default workspace has none', async () => {
    const project = await aProject()
    const stranger = await aUser(app, { role: 'member' })
    expect((await add(project, 'reader', stranger.id)).status).toBe(404)
    expect((await add(project, 'reader', ada.user.id)).status).toBe(422)
    const { body } = await ada.call('GET', '/workspaces')
    const own = body.items.find((one: { is_default: boolean }) => one.is_default).id
    const member = await aColleague()
    expect((await add(own, 'reader', member.user.id)).status).toBe(404)
  })
})
