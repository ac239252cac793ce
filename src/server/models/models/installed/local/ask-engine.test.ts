import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askEngine, openSocket } from './ask-engine.ts'

let folder: string
let server: Server
const lost: unknown[] = []
const note = (reason: unknown) => lost.push(reason)
beforeEach(async () => {
  lost.length = 0
  process.on('unhandledRejection', note)
  folder = mkdtempSync(join(tmpdir(), 'atrium-ask-engine-'))
  server = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve))
})
afterEach(() => {
  process.off('unhandledRejection', note)
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(signal: AbortSignal, prepare: (socket: { destroy: () => unknown }) => void = () => {}) {
  const socket = await openSocket(join(folder, 's'))
  if (!socket) throw new Error('there is no server')
  prepare(socket)
  const asked = askEngine(socket, { kind: 'try', milliseconds: 1 }, signal, () => undefined)
  const failed = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  // The socket reports its end after the call has failed.
  await sleep(50)
  return { failed, socket }
}

describe('askEngine', () => {
  it('fails once when the caller stopped before the request, and closes the connection', async () => {
    const reason = new Error('stopped')
    const { failed, socket } = await ask(AbortSignal.abort(reason))
    expect(failed).toBe(reason)
    expect(socket.destroyed).toBe(true)
    expect(lost).toEqual([])
  })

  it('fails when the connection ended before the request', async () => {
    const { failed } = await ask(new AbortController().signal, (socket) => socket.destroy())
    expect(failed).toMatchObject({ kind: 'interrupted' })
    expect(lost).toEqual([])
  })
})
