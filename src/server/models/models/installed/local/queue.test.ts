import { describe, expect, it } from 'vitest'
import { createQueue } from './queue.ts'

const never = new AbortController().signal

describe('the queue of a local model', () => {
  it('serves one request at a time, and reports their place to the others', async () => {
    const queue = createQueue()
    const first = Promise.withResolvers<void>()
    const told: string[] = []
    const ask = (name: string, work: () => Promise<void>, signal = never) =>
      queue.run(signal, (place) => told.push(`${name} ${place}`), work)
    const left = new AbortController()
    const a = ask('a', () => first.promise)
    const b = ask('b', async () => {}, left.signal)
    const c = ask('c', async () => {})
    left.abort(new Error('gone'))
    await expect(b).rejects.toThrow('gone')
    first.resolve()
    await Promise.all([a, c])
    const toldTo = (name: string) => told.filter((one) => one.startsWith(name))
    expect([toldTo('a'), toldTo('b'), toldTo('c')]).toEqual([['a 0'], ['b 1'], ['c 2', 'c 1', 'c 0']])
  })

  it('continues after a failed request', async () => {
    const queue = createQueue()
    const failed = queue.run(
      never,
      () => {},
      async () => Promise.reject(new Error('broken')),
    )
    let isDone = false
    const next = queue.run(
      never,
      () => {},
      async () => {
        isDone = true
      },
    )
    await expect(failed).rejects.toThrow('broken')
    await next
    expect(isDone).toBe(true)
  })
})
