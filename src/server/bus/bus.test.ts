import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { type Bus, createBus } from './bus.ts'

const log = createLog('silent')

describe('the bus of one process', () => {
  it('reaches the listeners of a topic until they leave', () => {
    const bus = createBus({ REDIS_URL: undefined }, log)
    const heard: string[] = []
    const leave = bus.subscribe('a', (message) => heard.push(message))
    bus.publish('a', 'one')
    bus.publish('b', 'not for a')
    leave()
    bus.publish('a', 'two')
    expect(heard).toEqual(['one'])
    expect(bus.isShared).toBe(false)
  })
})

describe('the bus of several processes', () => {
  let redis: ChildProcess
  let buses: Bus[]

  beforeAll(async () => {
    const port = await freePort()
    redis = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    buses = [1, 2].map(() => createBus({ REDIS_URL: `redis://127.0.0.1:${port}` }, log))
  })
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    redis.kill()
  })

  it('carries messages from one to the other, in order', async () => {
    const [one, two] = buses as [Bus, Bus]
    const heard: string[] = []
    const all = new Promise<void>((resolve) => {
      two.subscribe('run', (message) => {
        heard.push(message)
        if (message === 'last') resolve()
      })
    })
    // The reader starts at the newest message: what was said before it listened is not for it.
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (let i = 0; i < 200; i += 1) one.publish('run', String(i))
    one.publish('run', 'last')
    await all
    expect(heard).toEqual([...Array.from({ length: 200 }, (_, i) => String(i)), 'last'])
    expect(one.isShared).toBe(true)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
