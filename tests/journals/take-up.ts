import { expect } from 'vitest'
import type { LiveRun } from '../../src/server/runs/runs/context/live-run.ts'
import { resumeRun } from '../../src/server/runs/runs/runs.ts'
import type { InputRequest } from '../../src/shared/runs/input-requests/input-requests.ts'
import { aUser, type TestUser } from '../support/builders.ts'
import { type ModelRequest, says } from '../support/model-server.ts'
import type { Outcome, PersonMove, Recorded } from './fixture.ts'
import { PERSON, writeRows } from './rows.ts'
import type { Stage } from './stage.ts'

const PATIENCE = { timeout: 10_000, interval: 5 }

/** Stores a journal, resumes it with today's code to its end, and returns the outcome. */
export async function takeUp(stage: Stage, { run: id, rows, rest }: Recorded): Promise<Outcome> {
  const { chat, called } = stage
  const { db } = chat.app.deps
  const { engine } = chat.app.deps
  const person = await aUser(chat.app)
  const [requests, calls] = [chat.model.requests.length, called.length]
  let last: LiveRun | undefined
  engine.onHeld = () => {
    last = engine.live.get(id) ?? last
  }
  const open = [...rest.model]
  chat.model.always(() => open.shift() ?? [says('This call was made before.')])
  await writeRows(chat.app, rows, person.id)
  // A process finds runs with a due deadline or a dead owner by itself.
  await resumeRun(engine, id, ['running'])
  const stateOf = async () => {
    const row = await db.selectFrom('runs').select('state').where('id', '=', id).executeTakeFirstOrThrow()
    return engine.live.has(id) ? 'held' : row.state
  }
  const asked: string[] = []
  for (const move of rest.person) {
    await expect.poll(stateOf, PATIENCE).toMatch(/waiting|paused|failed|completed/)
    asked.push(await act(stage, person, id, move))
  }
  await expect.poll(stateOf, PATIENCE).toMatch(/stopped|failed|completed/)
  engine.onHeld = () => undefined
  const outcome: Outcome = {
    ...{ state: await stateOf(), asked, called: called.slice(calls) },
    shown: await readShown(stage, id),
    told: chat.model.requests.slice(requests).map(toldIn),
    used: [...(last?.used ?? [])],
    keys: await readKeys(stage, id),
  }
  return withoutTimes(outcome, person)
}

/** Performs a person's action on a resting run through the API. Returns where it was waiting. */
async function act({ chat }: Stage, { headers }: TestUser, id: string, move: PersonMove): Promise<string> {
  const call = (method: string, path: string, body?: unknown) => chat.call(method, path, body, headers)
  const run = await chat.app.deps.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (move === 'resume') {
    expect(await call('POST', `/sessions/${run.session_id}/resume`, {})).toMatchObject({ status: 200 })
    return 'resume'
  }
  const { items } = (await call('GET', '/input-requests')).body as { items: InputRequest[] }
  const request = items.find(({ run_id }) => run_id === id)?.request
  if (request?.type !== 'input_required') throw new Error(`${id} asks nothing: ${JSON.stringify(items)}`)
  const { checkpoint_name, tool } = request
  const given = { input: move.answer, input_type: move.type }
  const answer = run.session_id
    ? await call('POST', `/sessions/${run.session_id}/provide-input`, { checkpoint_name, ...given })
    : await call('POST', `/tool-executions/${tool?.tool_execution_id}/provide-input`, given)
  expect(answer).toMatchObject({ status: 200, body: { checkpoint_name } })
  return checkpoint_name
}

/** Returns the tool and person messages sent to a model; its instructions may change at any time. */
function toldIn({ messages }: ModelRequest): unknown {
  const handed = messages.map(({ content }) => /<results>.*<\/results>/s.exec(JSON.stringify(content))?.[0])
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  const summary = /(?<=\bsummarised:\n).*/s.exec(String(messages[0]?.content))?.[0]
  return [summary, ...results, ...handed].filter((text) => text !== undefined)
}

async function readShown({ chat }: Stage, id: string): Promise<unknown> {
  const { db } = chat.app.deps
  const run = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (!run.message_id) {
    const columns = ['status', 'result', 'error'] as const
    return db.selectFrom('tool_executions').select(columns).where('run_id', '=', id).executeTakeFirst()
  }
  const columns = ['status', 'content', 'blocks'] as const
  return db.selectFrom('messages').select(columns).where('id', '=', run.message_id).executeTakeFirst()
}

async function readKeys({ chat }: Stage, id: string): Promise<Record<string, string[]>> {
  const records = await chat.app.deps.db
    .selectFrom('run_records')
    .innerJoin('runs', 'runs.id', 'run_id')
    .select(['run_id', 'run_records.kind', 'key'])
    .where((row) => row.or([row('runs.id', '=', id), row('parent_run_id', '=', id)]))
    .orderBy('runs.created_at')
    .orderBy('position')
    .execute()
  const keys: Record<string, string[]> = {}
  for (const { run_id, kind, key } of records) {
    keys[run_id] ??= []
    keys[run_id].push(`${kind}:${key}`)
  }
  return keys
}

function withoutTimes(outcome: Outcome, { id }: TestUser): Outcome {
  const text = JSON.stringify(outcome).replaceAll(id, PERSON)
  const undated = text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g, 'then')
  return JSON.parse(undated, (key, value) => (key === 'duration_ms' && value > 0 ? undefined : value))
}
