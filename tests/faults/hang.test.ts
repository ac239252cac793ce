import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls, type ModelServer, says, startModelServer, waits } from '../support/model-server.ts'
import { isRunning } from '../support/processes.ts'
import { finishedReply } from './person.ts'
import { startWithTool, type ToolProduct } from './tool-product.ts'

let model: ModelServer
let place: ToolProduct

const ended = async () => {
  const { exitCode, signalCode } = place.product.process
  if (exitCode === null && signalCode === null) await once(place.product.process, 'exit')
}

beforeAll(async () => {
  model = await startModelServer()
  place = await startWithTool('hang', {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' },
    // On a loaded machine, a healthy process may miss its heartbeat for more than a second.
    ATRIUM_LIMIT_HANG_SECONDS: '4',
  })
})
afterAll(async () => {
  await place.close()
  await model.close()
})

it('abandons a reply that hangs its process and resumes the others', {
  timeout: 300_000,
}, async () => {
  let isOver = false
  const slow = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (!isOver) return
      clearInterval(timer)
      resolve()
    }, 50)
  })
  model.always(({ messages }) => {
    const asked = JSON.stringify(messages.at(-1))
    if (asked.includes('Hang now')) return [says('Before it. '), calls('hang', {})]
    if (asked.includes('Take your time')) return [says('Slowly, '), waits(slow), says('but surely.')]
    return [says('Served.')]
  })
  const { person } = place
  const innocent = await person.newSession()
  await person.send(innocent, 'Take your time')
  const poisoned = await person.newSession()
  await person.send(poisoned, 'Hang now')
  let restarts = 0
  for (; restarts < 12; restarts++) {
    await Promise.race([ended(), finishedReply(person, poisoned, 60_000).catch(() => undefined)])
    const { process: last, output } = place.product
    if (last.signalCode === null) break
    // The process killed itself after logging its current work.
    expect(last.signalCode).toBe('SIGKILL')
    expect(output()).toMatch(/"running":"[0-9a-f-]{36}.*stood still for \d+ s/)
    await place.start()
  }
  isOver = true
  const reply = await finishedReply(person, poisoned, 60_000)
  expect(reply).toMatchObject({ status: 'error', content: 'Before it. ' })
  expect(reply.blocks.at(-1)).toMatchObject({
    error: expect.stringMatching(/^This reply stopped the server/),
  })
  console.log(`faults: a reply that hangs was given up after ${restarts} restarts`)
  expect(restarts).toBeLessThanOrEqual(5)
  expect(await finishedReply(person, innocent, 60_000)).toMatchObject({
    ...{ status: 'completed', content: 'Slowly, but surely.' },
  })
  await person.send(poisoned, 'And now?')
  await expect.poll(async () => (await person.reply(poisoned))?.content, { timeout: 60_000 }).toBe('Served.')
})

it('spares a process that was only suspended by the system', {
  timeout: 60_000,
}, async () => {
  const { pid = 0 } = place.product.process
  process.kill(pid, 'SIGSTOP')
  await sleep(8_000)
  process.kill(pid, 'SIGCONT')
  await sleep(3_000)
  expect(isRunning(pid)).toBe(true)
  expect((await fetch(`${place.product.url}/api/v1/health`)).status).toBe(200)
})
