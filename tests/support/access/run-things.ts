import { randomUUID } from 'node:crypto'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'

type Asked = { owner: TestUser; sessionId: string; question: string; reply: string }

/** Creates the run of a reply with a checkpoint, a tool execution, and an input request of it that waits. */
export async function aRun(
  app: TestApp,
  { owner, sessionId, question, reply }: Asked,
): Promise<{ runId: string; executionId: string }> {
  const { db } = app.deps
  const run = await db
    .insertInto('runs')
    .values({
      ...{ user_id: owner.id, session_id: sessionId, user_message_id: question, message_id: reply },
      ...{ agent_type: 'multi_turn', agent_version: 1, state: 'completed' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const said = { event: 'checkpoint_created', checkpoint_name: 'step1', kind: 'before_step' }
  await db
    .insertInto('run_records')
    .values({
      ...{ run_id: run.id, position: 1, key: 'step1', kind: 'checkpoint', epoch: 1 },
      value: JSON.stringify({ events: [said] }),
    })
    .execute()
  const executionId = randomUUID()
  const call = { run_id: run.id, user_id: owner.id, session_id: sessionId }
  await db
    .insertInto('tool_executions')
    .values({ ...call, id: executionId, tool_id: 'calculator', input: '{}', status: 'completed' })
    .execute()
  const request = {
    type: 'input_required',
    id: 'q',
    kind: 'question',
    checkpoint_name: 'ask',
    prompt: 'Which?',
  }
  await db
    .insertInto('input_requests')
    .values({
      ...{ ...call, key: 'ask', tool_execution_id: executionId, checkpoint_name: 'ask' },
      // The newest is due first, so that it is on the first page.
      deadline: new Date(4e12 - Date.now()),
      request: JSON.stringify({ ...request, input_types: ['text'], state: 'waiting' }),
    })
    .execute()
  return { runId: run.id, executionId }
}
