import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, type Move, says, waits } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { patiently, readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  chat.model.always(answerTo)
})
afterAll(() => chat.close())

/** Scripts by the newest question; others get an echo. */
const scripts = new Map<string, Move[][]>()
function answerTo({ messages }: ModelRequest): Move[] {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content)
  return scripts.get(question)?.shift() ?? [says(`to ${question}`)]
}

const queue = (id: string, content: string, more: object = {}) =>
  chat.call('POST', `/sessions/${id}/queue`, { content, client_id: crypto.randomUUID(), ...more })
const read = async (id: string) => (await chat.call('GET', `/sessions/${id}/queue`)).body
const change = (id: string, queuedId: string, body: object) =>
  chat.call('PUT', `/sessions/${id}/queue/${queuedId}`, body)
const withdraw = (id: string, queuedId: string) => chat.call('DELETE', `/sessions/${id}/queue/${queuedId}`)
const branch = async (id: string) =>
  (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
const texts = async (id: string) => (await branch(id)).map(({ content }: { content: string }) => content)
const waiting = async (id: string) =>
  (await read(id)).items.map(({ content }: { content: string }) => content)

/** Starts a reply that ends when its gate opens. */
async function aWorkingChat(metadata: Record<string, unknown> = {}) {
  const id = await chat.aSession({ metadata })
  const gate = aGate()
  scripts.set('First', [[says('working '), waits(gate.opened), says('done')]])
  const stream = await chat.ask(id, 'First')
  await stream.until('response_chunk')
  return { id, gate, stream }
}

describe('a message that waits', () => {
  it('can be edited, reordered and withdrawn, and starts when the run ends', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const [a, b, c] = [await queue(id, 'A'), await queue(id, 'B'), await queue(id, 'C')]
    expect([a.status, b.status, c.status]).toEqual([201, 201, 201])
    expect(await waiting(id)).toEqual(['A', 'B', 'C'])
    await change(id, c.body.id, { after_id: null })
    expect(await waiting(id)).toEqual(['C', 'A', 'B'])
    await change(id, a.body.id, { after_id: b.body.id })
    expect(await waiting(id)).toEqual(['C', 'B', 'A'])
    expect((await change(id, c.body.id, { content: 'C2' })).body.content).toBe('C2')
    expect((await withdraw(id, b.body.id)).status).toBe(200)
    expect(await read(id)).toMatchObject({ items: [{ content: 'C2' }, { content: 'A' }], held_by: null })
    gate.open()
    await stream.ended
    await expect
      .poll(() => texts(id), patiently)
      .toEqual(['First', 'working done', 'C2', 'to C2', 'A', 'to A'])
    expect(await waiting(id)).toEqual([])
  })

  it('is stored once for the same client_id, before and after it was sent', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const send = () => queue(id, 'Twice', { client_id: 'same' })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    gate.open()
    await stream.ended
    await expect.poll(() => texts(id), patiently).toHaveLength(4)
    expect(await send()).toMatchObject({ status: 409, body: { code: 'already_answered' } })
    expect(await waiting(id)).toEqual([])
  })

  it('is refused beyond 20, and cannot be changed once it is gone', async () => {
    const { id, gate, stream } = await aWorkingChat()
    for (let at = 0; at < 20; at++) expect((await queue(id, `M${at}`)).status).toBe(201)
    expect(await queue(id, 'Too many')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const { id: queuedId } of (await read(id)).items) await withdraw(id, queuedId)
    const gone = crypto.randomUUID()
    expect((await withdraw(id, gone)).status).toBe(404)
    expect((await change(id, gone, { content: 'x' })).status).toBe(404)
    const { body } = await queue(id, 'Last')
    expect((await change(id, body.id, { after_id: gone })).status).toBe(404)
    expect((await queue(id, '  \n')).status).toBe(422)
    await withdraw(id, body.id)
    gate.open()
    await stream.ended
  })

  it('waits for the person when the reply was stopped, until it is sent', async () => {
    const { id, stream } = await aWorkingChat()
    const { body } = await queue(id, 'Next')
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    await expect.poll(() => read(id), patiently).toMatchObject({ held_by: 'stopped' })
    expect((await change(id, body.id, { way: 'interrupt' })).status).toBe(200)
    await expect.poll(() => texts(id), patiently).toEqual(['First', 'working ', 'Next', 'to Next'])
  })

  it('waits when the reply failed, and says why when it cannot be started', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    scripts.set('First', [[says('half'), waits(gate.opened), { do: 'garbage' }]])
    const stream = await chat.ask(id, 'First')
    await stream.until('response_chunk')
    const { body } = await queue(id, 'Next', { mentions: [{ kind: 'tool', id: 'calculator' }] })
    gate.open()
    await stream.ended
    await expect.poll(() => read(id), patiently).toMatchObject({ held_by: 'failed' })
    await chat.app.deps.db
      .updateTable('queued_messages')
      .set({ options: JSON.stringify({ mentions: [{ kind: 'tool', id: 'gone', name: 'Gone' }] }) })
      .where('id', '=', body.id)
      .execute()
    await change(id, body.id, { way: 'interrupt' })
    await expect
      .poll(() => read(id), patiently)
      .toMatchObject({ held_by: 'refused', items: [{ failure: 'not_available' }] })
  })

  it('waits while a run waits for an answer', async () => {
    const id = await chat.aSession()
    scripts.set('Ask', [
      [calls('ask_person', { prompt: 'Which one?', input_types: ['text'] })],
      [says('Thanks')],
    ])
    const stream = await chat.ask(id, 'Ask')
    await stream.ended
    expect((await queue(id, 'Next')).status).toBe(201)
    expect(await read(id)).toMatchObject({ held_by: 'waiting', items: [{ content: 'Next' }] })
    const { blocks } = (await branch(id)).at(-1)
    const asked = blocks.find(({ type }: { type: string }) => type === 'input_required')
    await chat.call('POST', `/sessions/${id}/provide-input`, {
      ...{ checkpoint_name: asked.checkpoint_name, input: 'this', input_type: 'text' },
    })
    await expect.poll(() => texts(id), patiently).toEqual(['Ask', 'Thanks', 'Next', 'to Next'])
  })

  it('starts a run immediately without one, in every way of sending', async () => {
    for (const way of ['queue', 'steer', 'interrupt']) {
      const id = await chat.aSession()
      expect((await queue(id, 'Hi', { way })).status).toBe(201)
      await expect.poll(() => texts(id), patiently).toEqual(['Hi', 'to Hi'])
    }
  })

  it('reaches all browsers of the person', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const events = await openStream(`${chat.url}/users/me/events`, { headers: chat.user.headers })
    await queue(id, 'Next')
    await vi.waitFor(() => expect(JSON.stringify(events.wire)).toContain('queue_changed'), patiently)
    events.leave()
    gate.open()
    await stream.ended
  })

  it('of another member of a shared chat keeps its text and never steers', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const member = await aUser(chat.app)
    const workspace_id = (await chat.call('POST', '/workspaces', { name: 'Renewals' })).body.id
    await chat.app.deps.db
      .insertInto('workspace_members')
      .values({ workspace_id, person_id: member.id, role: 'writer', added_by: chat.user.id })
      .execute()
    const items = [{ session_id: id, workspace_id, is_shared: true }]
    expect((await chat.call('PUT', '/session-projects', { items })).status).toBe(200)
    const as = (method: 'POST' | 'PUT', path: string, body: object) =>
      chat.call(method, `/sessions/${id}/queue${path}`, body, member.headers)
    const { body: mine } = await queue(id, 'Mine')
    expect((await as('PUT', `/${mine.id}`, { content: 'Theirs' })).status).toBe(403)
    const { body: theirs } = await as('POST', '', { content: 'Hurry', client_id: 'hurry', way: 'steer' })
    expect(theirs.way).toBe('queue')
    expect((await as('PUT', `/${theirs.id}`, { way: 'steer' })).body.way).toBe('queue')
    gate.open()
    await stream.ended
    await expect.poll(() => texts(id), patiently).toEqual(expect.arrayContaining(['Mine', 'Hurry']))
  })

  it('is closed to others', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const { body } = await queue(id, 'Mine')
    const other = await aUser(chat.app)
    const inject = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) =>
      (
        await chat.app.http.inject({
          method,
          url: `/api/v1${path}`,
          headers: other.headers,
          ...(payload && { payload }),
        })
      ).statusCode
    expect(await inject('GET', `/sessions/${id}/queue`)).toBe(403)
    expect(await inject('POST', `/sessions/${id}/queue`, { content: 'x', client_id: 'x' })).toBe(403)
    expect(await inject('DELETE', `/sessions/${id}/queue/${body.id}`)).toBe(403)
    const own = await chat.aSession()
    expect((await withdraw(own, body.id)).status).toBe(404)
    gate.open()
    await stream.ended
  })
})

describe('a message that interrupts', () => {
  it('ends a run that waits for an answer', async () => {
    const id = await chat.aSession()
    scripts.set('Ask', [[calls('ask_person', { prompt: 'Which one?', input_types: ['text'] })]])
    await (await chat.ask(id, 'Ask')).ended
    await queue(id, 'Later')
    await queue(id, 'Now', { way: 'interrupt' })
    await expect
      .poll(async () => (await texts(id)).filter((text: string) => text !== ''), { timeout: 20_000 })
      .toEqual(['Ask', 'Now', 'to Now', 'Later', 'to Later'])
  })

  it('does not stop a run that began before it when its text changes', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const { body } = await queue(id, 'Next')
    // Another message that interrupts left it behind.
    await chat.app.deps.db
      .updateTable('queued_messages')
      .set({ way: 'interrupt' })
      .where('id', '=', body.id)
      .execute()
    expect((await change(id, body.id, { content: 'Next edited' })).status).toBe(200)
    gate.open()
    await stream.ended
    expect(stream.view()).toMatchObject({ stopped: false, content: 'working done' })
    await expect.poll(() => texts(id), patiently).toContain('to Next edited')
  })

  it('stops the run, whose text stays, and starts the next one before the queue [SB-05]', async () => {
    const { id, stream } = await aWorkingChat()
    await queue(id, 'Later')
    await queue(id, 'Now', { way: 'interrupt' })
    await stream.ended
    expect(stream.view()).toMatchObject({ stopped: true, content: 'working ' })
    await expect
      .poll(() => texts(id), patiently)
      .toEqual(['First', 'working ', 'Now', 'to Now', 'Later', 'to Later'])
  })
})

describe('a message that steers', () => {
  it('is a record of the journal, read at the next step, and stays in the history', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    const before = chat.model.requests.length
    const note = 'While you work, the person adds:\nLeave Thalmis out'
    scripts.set('Compute', [
      [says('Let me see. '), waits(gate.opened), calls('calculator', { a: 1, b: 1, operation: 'add' })],
    ])
    scripts.set(note, [[calls('calculator', { a: 2, b: 2, operation: 'add' })], [says('Without Thalmis.')]])
    const stream = await chat.ask(id, 'Compute')
    await stream.until('response_chunk')
    const { body } = await queue(id, 'Leave Thalmis out', { way: 'steer' })
    expect(await read(id)).toMatchObject({ items: [{ way: 'steer' }] })
    gate.open()
    await stream.ended
    const [, second, third] = chat.model.requests.slice(before)
    const at = second?.messages.findIndex(({ content }) => JSON.stringify(content).includes('Thalmis')) ?? -1
    expect(second?.messages[at]?.role).toBe('user')
    expect(at).toBe((second?.messages.length ?? 0) - 1)
    // Later calls have it in the same place.
    expect(third?.messages[at]).toEqual(second?.messages[at])
    expect(await waiting(id)).toEqual([])
    const types = stream
      .view()
      ?.blocks.map(({ type }) => type)
      .filter((type) => type !== 'checkpoint')
    expect(types).toEqual(['text', 'tool', 'steering', 'tool', 'text'])
    const { keys } = await readRun(chat.app, stream.view()!.run_id)
    expect(keys.filter((key) => key.includes('steering'))).toEqual(['step:steering:2'])
    const [, reply] = await branch(id)
    expect(reply.blocks.find(({ type }: { type: string }) => type === 'steering')).toMatchObject({
      id: `steering-${body.id}`,
      text: 'Leave Thalmis out',
    })
    await (await chat.ask(id, 'And now?')).ended
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages)).toContain('Leave Thalmis out')
    // A browser that did not receive the answer sends it again.
    const again = { content: 'Leave Thalmis out', client_id: body.client_id }
    expect(await chat.call('POST', `/sessions/${id}/messages`, again)).toMatchObject({
      ...{ status: 409, body: { code: 'already_answered' } },
    })
  })

  it('gives the same reply when its run is resumed after any record', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    const note = 'While you work, the person adds:\nBriefly'
    const script = () => {
      scripts.set('Again', [[calls('calculator', { a: 1, b: 1, operation: 'add' }, 'one')]])
      scripts.set(note, [[calls('calculator', { a: 2, b: 2, operation: 'add' }, 'two')], [says('Four.')]])
    }
    script()
    scripts.get('Again')?.[0]?.unshift(waits(gate.opened))
    const before = chat.model.requests.length
    const stream = await chat.ask(id, 'Again')
    await vi.waitFor(() => expect(chat.model.requests.length).toBeGreaterThan(before), patiently)
    await queue(id, 'Briefly', { way: 'steer' })
    gate.open()
    await stream.ended
    const runId = stream.view()!.run_id
    const whole = await readRun(chat.app, runId)
    const at = whole.keys.indexOf('step:steering:2')
    expect(at).toBeGreaterThan(0)
    const essence = ({ reply, keys }: typeof whole) => ({
      keys,
      blocks: reply.blocks.map((block) => [block.type, 'text' in block ? block.text : null]),
    })
    for (const kept of [at - 1, at, at + 1, whole.keys.length - 1]) {
      script()
      const calls = kept > whole.keys.indexOf('step:model:1') ? 0 : 1
      if (calls === 0) scripts.set('Again', [])
      if (kept > whole.keys.indexOf('step:model:2')) scripts.get(note)?.shift()
      // A record and its mark on the message are one commit.
      if (kept <= at)
        await chat.app.deps.db
          .updateTable('queued_messages')
          .set({ read_at: null })
          .where('session_id', '=', id)
          .execute()
      await goBack(chat, runId, kept)
      expect(essence(await resume(chat, runId)), `after ${kept} records`).toEqual(essence(whole))
    }
  })

  it('waits in the queue when it has more than text', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const steer = (more: object) => queue(id, 'More', { way: 'steer', ...more })
    expect((await steer({ tool_choice: 'calculator' })).body.way).toBe('queue')
    expect((await steer({ mentions: [{ kind: 'tool', id: 'calculator' }] })).body.way).toBe('queue')
    expect((await steer({ document_ids: [crypto.randomUUID()] })).body.way).toBe('queue')
    for (const { id: queuedId } of (await read(id)).items) await withdraw(id, queuedId)
    gate.open()
    await stream.ended
  })

  it('can be withdrawn until it is read, and no longer after', async () => {
    const { id, gate, stream } = await aWorkingChat()
    const { body } = await queue(id, 'Not this', { way: 'steer' })
    expect((await withdraw(id, body.id)).status).toBe(200)
    const kept = await queue(id, 'This', { way: 'steer' })
    await chat.app.deps.db
      .updateTable('queued_messages')
      .set({ claimed_at: new Date() })
      .where('id', '=', kept.body.id)
      .execute()
    expect((await withdraw(id, kept.body.id)).status).toBe(409)
    expect((await change(id, kept.body.id, { content: 'x' })).status).toBe(409)
    gate.open()
    await stream.ended
  })

  it('comes first in the queue when the run ends without reading it', async () => {
    const { id, gate, stream } = await aWorkingChat()
    await queue(id, 'Queued')
    await queue(id, 'Unread', { way: 'steer' })
    gate.open()
    await stream.ended
    await expect
      .poll(() => texts(id), patiently)
      .toEqual(['First', 'working done', 'Unread', 'to Unread', 'Queued', 'to Queued'])
  })
})
