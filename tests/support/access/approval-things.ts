import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'
import { findColleague } from './schedule-things.ts'

type Whose = { owner: TestUser; companyId: string; runId: string; sessionId: string }

/** Creates a call of the owner that waits for the approval of a colleague, and names that colleague as the approver of a tool. */
export async function anApproval(
  { deps: { db } }: TestApp,
  { owner, companyId, runId, sessionId }: Whose,
): Promise<{ approvalId: string; approvedToolId: string }> {
  const colleague = await findColleague(db, owner, companyId)
  const [approvalId, approvedToolId] = [randomUUID(), 'calculator']
  const call = { run_id: runId, user_id: owner.id, session_id: sessionId }
  await db
    .insertInto('tool_executions')
    .values({ ...call, id: approvalId, tool_id: approvedToolId, input: '{}', status: 'pending' })
    .execute()
  const request = {
    ...{
      type: 'input_required',
      id: 'approve',
      kind: 'approval',
      checkpoint_name: 'approve',
      prompt: 'Allow?',
    },
    ...{ input_types: ['json'], state: 'waiting' },
  }
  await db
    .insertInto('input_requests')
    .values({
      ...{ ...call, key: 'approve', tool_execution_id: approvalId, checkpoint_name: 'approve' },
      ...{ names_approver: true, approver_company_id: companyId, approver_user_id: colleague },
      request: JSON.stringify(request),
    })
    .execute()
  await sql`insert into tool_approvals (company_id, tool_id, approver_user_id, deadline_minutes, changed_at)
    values (${companyId}, ${approvedToolId}, ${colleague}, 60, now()) on conflict do nothing`.execute(db)
  return { approvalId, approvedToolId }
}
