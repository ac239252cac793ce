import { expect } from 'vitest'
import type { ProjectRole } from '../../src/shared/chat/projects/roles.ts'
import type { TestApp } from './app.ts'
import { aCompany, aSession, aUser } from './builders.ts'
import { aReader, type Reader } from './documents.ts'

/** A company whose people share projects, with builders of what a project contains. */
export async function aProjectHouse(app: TestApp) {
  const base = `${await app.listen()}/api/v1`
  const { db } = app.deps
  const companyId = await aCompany(app)
  await db.updateTable('companies').set({ members_share: true }).where('id', '=', companyId).execute()
  const aColleague = async () => aReader(app, base, await aUser(app, { role: 'member', companyId }))
  const add = async (owner: Reader, project: string, role: ProjectRole, id: string, who = 'person') => {
    const answer = await owner.call('POST', `/projects/${project}/members`, { recipient: { who, id }, role })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  return {
    base,
    companyId,
    aColleague,
    add,
    aProject: async (owner: Reader, name = 'Leases') =>
      (await owner.call('POST', '/workspaces', { name })).body.id as string,
    /** Creates an answered chat of a person in a project. */
    aChat: async (owner: Reader, workspace_id: string, isShared = true): Promise<string> => {
      const { id } = await aSession(app, owner.user, { turns: 1 })
      const items = [{ session_id: id, workspace_id, is_shared: isShared }]
      expect((await owner.call('PUT', '/session-projects', { items })).status).toBe(200)
      return id
    },
    aDocument: async (owner: Reader, workspace_id: string): Promise<string> => {
      const content = `Text ${Math.random()}`
      return (await owner.upload({ name: 'a.txt', content, fields: { workspace_id } })).body.id
    },
    /** Creates a group of the company. */
    aGroup: async (...members: Reader[]): Promise<string> => {
      const group = { company_id: companyId, name: `Sales ${Math.random()}` }
      const { id } = await db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
      for (const { user } of members)
        await db
          .insertInto('group_members')
          .values({ group_id: id, company_id: companyId, user_id: user.id })
          .execute()
      return id
    },
    leaveCompany: async ({ user }: Reader) => {
      await db
        .deleteFrom('company_members')
        .where('user_id', '=', user.id)
        .where('company_id', '=', companyId)
        .execute()
    },
  }
}
