import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '#tests/redis-server.ts'
import { createLog } from '../log.ts'
import { type Bus, createBus } from './bus.ts'

const log = createLog('silent')

describe('local bus', () => {
  it('delivers messages to the listeners of a topic until they unsubscribe', () => {
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

describe('Redis bus', () => {
  let redis: RedisServer
  let one: Bus
  let two: Bus

  beforeEach(async () => {
    redis = await startRedis()
    one = createBus({ REDIS_URL: redis.url }, log)
    two = createBus({ REDIS_URL: redis.url }, log)
    await connected('start')
  })
  afterEach(async () => {
    await Promise.all([one.close(), two.close()])
    await redis.kill()
  })

  /** Publishes until a message arrives; from then on none is lost. */
  async function connected(topic: string) {
    let isHeard = false
    const leave = two.subscribe(topic, () => {
      isHeard = true
    })
    while (!isHeard) {
      one.publish(topic, 'hello')
      await sleep(20)
    }
    leave()
  }
  function hear(topic: string) {
    const heard: string[] = []
    two.subscribe(topic, (message) => heard.push(message))
    return heard
  }
  async function until(isTrue: () => boolean) {
    while (!isTrue()) await sleep(5)
  }

  it('delivers messages between processes in order', async () => {
    const heard = hear('run')
    await sleep(200)
    const sent = Array.from({ length: 200 }, (_, index) => String(index))
    for (const message of sent) one.publish('run', message)
    await until(() => heard.length >= sent.length)
    expect(heard).toEqual(sent)
    expect(one.isShared).toBe(true)
  })

  it('delivers only later messages of the subscribed topic', async () => {
    one.publish('run', 'before')
    await sleep(100)
    const heard = hear('run')
    await sleep(200)
    one.publish('other', 'elsewhere')
    one.publish('run', 'after')
    await until(() => heard.length > 0)
    expect(heard).toEqual(['after'])
  })

  it('drops messages while Redis is down and delivers again after it recovers', async () => {
    const heard = hear('run')
    await redis.kill()
    await sleep(50)
    for (let index = 0; index < 100; index += 1) one.publish('run', 'lost')
    await redis.start()
    await connected('again')
    one.publish('run', 'found')
    await until(() => heard.length > 0)
    expect(heard).toEqual(['found'])
  })

  it('replaces a connection that stops responding', async () => {
    const heard = hear('run')
    redis.freeze()
    const before = performance.now()
    for (let index = 0; index < 5_000; index += 1) one.publish('run', 'x'.repeat(1_000))
    expect(performance.now() - before).toBeLessThan(1_000)
    await sleep(6_000)
    redis.thaw()
    await connected('again')
    heard.length = 0
    one.publish('run', 'found')
    await until(() => heard.includes('found'))
    expect(heard.filter((message) => message === 'found')).toHaveLength(1)
  })
})
