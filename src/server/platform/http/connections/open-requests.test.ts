import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { closeOutsideRequests, MAX_CONCURRENT_CHECKS, noteOpenRequest } from './open-requests.ts'

type Raw = EventEmitter & { headersSent: boolean; destroyed: boolean; destroy: () => void }

/** Opens streams, every second one from outside. `concurrent` is the highest number of checks that ran at the same time. */
function openStreams(count: number) {
  const http = fastify()
  const change: (() => void)[] = []
  closeOutsideRequests(http, { onChanged: (callback) => void change.push(callback) })
  const seen = { checks: 0, running: 0, concurrent: 0, cut: 0 }
  const raws = Array.from({ length: count }, (_, at) => {
    const raw: Raw = Object.assign(new EventEmitter(), {
      headersSent: true,
      destroyed: false,
      destroy: () => undefined,
    })
    raw.destroy = () => {
      seen.cut += 1
      raw.emit('close')
    }
    const enterAgain = async () => {
      seen.checks += 1
      seen.running += 1
      seen.concurrent = Math.max(seen.concurrent, seen.running)
      await wait(1)
      seen.running -= 1
      if (at % 2 === 0) throw new AppError('outside_networks', 'Outside.')
    }
    noteOpenRequest({
      request: { server: http } as unknown as FastifyRequest,
      raw: raw as unknown as FastifyReply['raw'],
      enterAgain,
    })
    return raw
  })
  return { seen, raws, change: () => change[0]?.() }
}

describe('open requests after a change of networks', () => {
  it('are checked a few at a time, until all that are outside are cut', async () => {
    const { seen, change } = openStreams(1_000)
    change()
    await expect.poll(() => seen.cut, { timeout: 5_000 }).toBe(500)
    expect(seen.concurrent).toBe(MAX_CONCURRENT_CHECKS)
    expect(seen.checks).toBeGreaterThanOrEqual(1_000)
  })

  it('are checked once for changes that follow each other', async () => {
    const { seen, change } = openStreams(100)
    for (let n = 0; n < 50; n += 1) change()
    await expect.poll(() => seen.checks).toBeGreaterThanOrEqual(100)
    // Once more for those that were being checked at the time of a change.
    expect(seen.checks).toBeLessThanOrEqual(100 + MAX_CONCURRENT_CHECKS)
  })

  it('are not checked after they ended', async () => {
    const { seen, raws, change } = openStreams(10)
    change()
    for (const raw of raws) raw.emit('close')
    await wait(50)
    expect(seen.checks).toBe(MAX_CONCURRENT_CHECKS)
  })
})
