import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { type Probe, playTool } from '#tests/probe-tool.ts'

let chat: Chat
let other: TestApp
let otherUrl: string
beforeAll(async () => {
  chat = await startChat()
  other = await startApp({ address: chat.app.address, config: { ATRIUM_COMPATIBLE_URL: chat.model.url } })
  otherUrl = `${await other.listen()}/api/v1`
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

/** Sets the behavior of the probe tool, for whichever process runs it. */
function play(...probe: Probe): void {
  for (const app of [chat.app, other]) playTool(app, ...probe)
}

const large = 'é'.repeat(9_000)
const readFar = async (sessionId: string) => {
  const stream = await openStream(`${otherUrl}/sessions/${sessionId}/events`, { headers: chat.user.headers })
  await stream.until('connection_established')
  return stream
}
const execute = (session_id: string) =>
  chat.call('POST', '/tools/probe/execute', { inputs: { n: 21 }, session_id })
const updatesOf = ({ wire }: OpenStream) =>
  wire.filter(({ event }) => event === 'tool_update').map(({ data }) => JSON.parse(data))
const isOver = (stream: OpenStream) => updatesOf(stream).some(({ data }) => data.status === 'complete')

describe('reader on another process than the one that executes', () => {
  it("receives a tool's events to the end, in order and of any size [SV-50, G-40, TO-27]", async () => {
    const session = await chat.aSession()
    play(async ({ n }, { phase, partial }) => {
      phase('read', 'processing', { text: large })
      partial(large)
      return { doubled: n * 2, text: large }
    })
    const [near, far] = await Promise.all([chat.follow(`/sessions/${session}/events`), readFar(session)])
    await near.until('connection_established')
    await execute(session)
    await expect.poll(() => [isOver(near), isOver(far)], { timeout: 20_000 }).toEqual([true, true])
    const shown = ({ wire }: OpenStream) =>
      wire
        .filter(({ event }) => event.startsWith('tool_'))
        .map(({ event, id, data }) => ({ event, id, data }))
    expect(shown(far)).toEqual(shown(near))
    expect(updatesOf(far).map(({ data }) => data.status)).toEqual([
      ...['pending', 'processing', 'processing', 'complete'],
    ])
    const { tool_execution_id, data } = updatesOf(far).at(-1)
    expect(data.result_ref).toMatchObject({ id: tool_execution_id })
    expect((await chat.call('GET', `/tool-executions/${tool_execution_id}`)).body).toMatchObject({
      result: { doubled: 42, text: large },
      events: [{}, {}, { data: { text: large } }, { data: { content: large } }, {}],
    })
    expect(far.wire.every(({ id }) => id === null)).toBe(true)
    near.leave()
    far.leave()
  })

  it('receives the remaining events if it connects during an execution [SV-50, TO-27]', async () => {
    const session = await chat.aSession()
    const gate = aGate()
    play(async () => {
      await gate.opened
      return { doubled: 1, text: large }
    })
    await execute(session)
    const far = await readFar(session)
    gate.open()
    await expect.poll(() => isOver(far), { timeout: 20_000 }).toBe(true)
    far.leave()
  })

  it("receives the events after a person's answer [SV-33, SV-50, TO-27]", async () => {
    const session = await chat.aSession()
    play(
      async ({ n }, { ask }) => {
        const { input } = await ask('factor', { prompt: 'By what?', input_types: ['text'] })
        return { doubled: n * Number(input), text: large }
      },
      { durable: true },
    )
    const far = await readFar(session)
    const { body } = await execute(session)
    await far.until('input_required')
    const path = `/tool-executions/${body.tool_execution_id}/provide-input`
    let given = await chat.call('POST', path, { input: '6' })
    // The question exists once the run has come to rest.
    while (given.status === 404) given = await chat.call('POST', path, { input: '6' })
    await expect.poll(() => isOver(far), { timeout: 20_000 }).toBe(true)
    expect(updatesOf(far).at(-1).data.result_ref.preview).toContain('"doubled":126')
    far.leave()
  })
})
