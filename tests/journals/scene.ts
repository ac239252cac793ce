import { expect } from 'vitest'
import type { Engine } from '../../src/server/runs/runs/runs.ts'
import { aMessage, type TestUser } from '../support/builders.ts'
import { aGate } from '../support/chat.ts'
import { openStream } from '../support/event-stream.ts'
import { type Script, says, waits } from '../support/model-server.ts'
import type { Stage } from './stage.ts'

/** Recording context of a case: a person, and a session of its agent. */
export type Scene = Stage & { person: TestUser; sessionId: string }

const PATIENCE = { timeout: 20_000, interval: 5 }
const engineOf = ({ chat }: Scene): Engine => chat.app.deps.engine

/** Asks a question and waits until the run has come to rest. */
export async function say(scene: Scene, message: object, ...scripts: Script[]): Promise<string> {
  return atRest(scene, await open(scene, message, ...scripts))
}

/** Asks a question while the run continues. */
export function open(scene: Scene, message: object, ...scripts: Script[]): Promise<string> {
  return begin(scene, 'messages', { content: 'Go', ...message }, scripts)
}

/** Returns to a checkpoint of the latest reply; the run that begins there continues. */
export async function fork(scene: Scene, checkpoint_name: string, ...scripts: Script[]): Promise<string> {
  const { active_leaf: message_id } = await readSession(scene)
  return begin(scene, 'navigate-to-checkpoint', { checkpoint_name, message_id }, scripts)
}

/** Executes a tool on its own until it waits or hangs. */
export async function execute(scene: Scene, tool: string, inputs: object): Promise<string> {
  const { body } = await post(scene, `/tools/${tool}/execute`, { inputs })
  const find = () =>
    scene.chat.app.deps.db
      .selectFrom('tool_executions')
      .select('run_id')
      .where('id', '=', body.tool_execution_id)
      .executeTakeFirstOrThrow()
  const { run_id } = await find()
  if (tool === 'book') await atRest(scene, run_id)
  return run_id
}

/** Makes the tool ask before it runs. */
export async function policy({ chat, person }: Scene, tool: string): Promise<void> {
  await chat.call('PUT', `/tools/${tool}/policy`, { policy: 'ask' }, person.headers)
}

/** Answers the latest run's question and waits until it has come to rest. */
export async function answer(scene: Scene, checkpoint_name: string, input: string, ...scripts: Script[]) {
  scene.chat.model.reply(...scripts)
  const id = await latest(scene)
  await post(scene, `/sessions/${scene.sessionId}/provide-input`, {
    checkpoint_name,
    input,
    input_type: 'text',
  })
  return atRest(scene, id)
}

/** Starts a run that is paused during its first step. */
export async function paused(scene: Scene, plan: Script): Promise<string> {
  const gate = aGate()
  const asked = scene.chat.model.requests.length
  const id = await open(scene, {}, plan, [waits(gate.opened), says('Compared.')])
  await expect.poll(() => scene.chat.model.requests.length, PATIENCE).toBe(asked + 2)
  await post(scene, `/sessions/${scene.sessionId}/pause`)
  await expect.poll(() => engineOf(scene).live.get(id)?.pauseRequested, PATIENCE).toBe(true)
  gate.open()
  return atRest(scene, id)
}

/** Resumes the paused run. */
export async function resumed(scene: Scene, ...scripts: Script[]): Promise<string> {
  scene.chat.model.reply(...scripts)
  await post(scene, `/sessions/${scene.sessionId}/resume`, {})
  return latest(scene)
}

/** Kills the process during the `count`th following model call. */
export async function killed(scene: Scene, count: number, go: () => Promise<string>): Promise<string> {
  const asked = scene.chat.model.requests.length
  const id = await go()
  await expect.poll(() => scene.chat.model.requests.length, PATIENCE).toBe(asked + count)
  return id
}

/** Kills the process while a letter is being sent. */
export async function killedInLetter(scene: Scene, go: () => Promise<string>): Promise<string> {
  const called = scene.called.length
  const id = await go()
  await expect.poll(() => scene.called.length, PATIENCE).toBe(called + 1)
  return id
}

/** Fills the session with more than its small model can take. */
export async function talkMuch({ chat, sessionId }: Scene): Promise<void> {
  const { db } = chat.app.deps
  await db
    .updateTable('sessions')
    .set({ model_name: 'compatible/small' })
    .where('id', '=', sessionId)
    .execute()
  let parentId: string | undefined
  for (const role of ['user', 'assistant', 'user', 'assistant'] as const) {
    const content = `${role} on leases. ${'lorem ipsum dolor sit amet '.repeat(60)}`
    parentId = (await aMessage(chat.app, sessionId, { parentId, role, content })).id
  }
}

async function begin(scene: Scene, route: string, body: object, scripts: Script[]): Promise<string> {
  const { chat, person, sessionId } = scene
  chat.model.reply(...scripts)
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/${route}`, {
    ...{ method: 'POST', headers: person.headers, body },
  })
  await expect.poll(() => stream.view()?.run_id, PATIENCE).toBeTruthy()
  return stream.view()?.run_id ?? ''
}

async function post({ chat, person }: Scene, path: string, body?: object) {
  const answer = await chat.call('POST', path, body, person.headers)
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer
}

export async function atRest(scene: Scene, id: string): Promise<string> {
  const { db } = scene.chat.app.deps
  const stateOf = async () => {
    const row = await db.selectFrom('runs').select('state').where('id', '=', id).executeTakeFirstOrThrow()
    return engineOf(scene).live.has(id) ? 'held' : row.state
  }
  await expect.poll(stateOf, PATIENCE).toMatch(/waiting|paused|completed/)
  return id
}

const readSession = ({ chat, sessionId }: Scene) =>
  chat.app.deps.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()

async function latest(scene: Scene): Promise<string> {
  const { active_leaf } = await readSession(scene)
  const { db } = scene.chat.app.deps
  const run = db.selectFrom('runs').select('id').where('message_id', '=', active_leaf)
  return (await run.executeTakeFirstOrThrow()).id
}
