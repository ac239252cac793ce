import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import { aSession, aUser, type TestUser } from './builders.ts'

/** Creates a group of unanswered questions that five people asked in a project. */
export async function anUnansweredGroup(app: TestApp, owner: TestUser, workspaceId: string): Promise<string> {
  const { db } = app.deps
  const { id: sessionId, messageIds } = await aSession(app, owner, { turns: 3 })
  await db.updateTable('sessions').set({ workspace_id: workspaceId }).where('id', '=', sessionId).execute()
  const group = { workspace_id: workspaceId, model: 'test', askers: 5, counted_on: '2026-01-02' }
  const { id } = await db
    .insertInto('unanswered_groups')
    .values(group)
    .returning('id')
    .executeTakeFirstOrThrow()
  const people = await Promise.all(Array.from({ length: 5 }, () => aUser(app)))
  for (const [at, { id: userId }] of people.entries())
    await sql`insert into unanswered_questions (message_id, session_id, workspace_id, user_id, group_id, is_counted)
      values (${messageIds[at]}, ${sessionId}, ${workspaceId}, ${userId}, ${id}, true)`.execute(db)
  return id
}
