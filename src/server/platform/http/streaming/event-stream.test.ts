import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import type { Feature } from '../../../feature.ts'
import { serve } from '../serve.ts'
import { type EventStream, openEventStream } from './event-stream.ts'

const MB = 1024 * 1024
type Opened = { stream: EventStream; unsent: () => number; owner: string }

let app: TestApp
let url: string
let ada: TestUser
let bob: TestUser
let opened: Opened[] = []

const openProbe = route({
  method: 'GET',
  path: '/probe',
  access: 'user',
  kind: 'stream',
  summary: 'A stream',
})
/** Exposes its open streams to the test, which writes to them. */
const probe: Feature = (server) => {
  serve(server, openProbe, {
    handle: ({ request, reply, user }) => {
      const stream = openEventStream(request, reply)
      opened.push({ stream, unsent: () => reply.raw.writableLength, owner: user.id })
      return undefined as never
    },
  })
}

beforeAll(async () => {
  const config = { ATRIUM_LIMIT_STREAMS_PER_USER: '8', ATRIUM_LIMIT_STREAM_BACKLOG_MB: '60' }
  app = await startApp({ features: [probe], config })
  url = await app.listen()
  ada = await aUser(app)
  bob = await aUser(app)
})
afterAll(() => app.close())

function ask(user: TestUser, path = '/probe', version = 'HTTP/1.1'): string {
  const lines = [`GET /api/v1${path} ${version}`, 'host: localhost', `authorization: Bearer ${user.token}`]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function openSocket(): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname }).on('error', () => undefined)
}

/** Connects a reader that reads only when told to by the test. */
async function openReader(user: TestUser): Promise<{ socket: Socket; answer: string; at: Opened }> {
  const before = opened.length
  const socket = openSocket()
  socket.write(ask(user))
  await once(socket, 'readable')
  const answer = String(socket.read())
  if (!answer.startsWith('HTTP/1.1 200')) return { socket, answer, at: undefined as never }
  await vi.waitFor(() => expect(opened.length).toBeGreaterThan(before))
  return { socket, answer, at: opened.at(-1)! }
}

async function leaveAll(...readers: { socket: Socket }[]) {
  for (const { socket } of readers) socket.destroy()
  await vi.waitFor(() => expect(opened.every(({ stream }) => stream.closed.aborted)).toBe(true))
  opened = []
}

/** Collects what the reader receives from now on. */
function readOn({ socket }: { socket: Socket }) {
  const got = { bytes: 0, tail: '' }
  socket.on('data', (bytes) => {
    got.bytes += bytes.length
    got.tail = (got.tail + bytes.toString()).slice(-500)
  })
  return got
}

const event = (bytes: number, name = '') => `data: ${'x'.repeat(bytes)} ${name}\n\n`

/** Collects what arrives on a socket. `next` is the stream opened on it. */
function listen(socket: Socket) {
  const before = opened.length
  const got = { text: '', isOver: false }
  let bytes = Buffer.alloc(0)
  socket.on('data', (more) => {
    bytes = Buffer.concat([bytes, more])
    got.text = bytes.toString()
  })
  socket.on('end', () => (got.isOver = true))
  const next = async () => {
    await vi.waitFor(() => expect(opened.length).toBeGreaterThan(before), 20_000)
    return opened[before]!.stream
  }
  return { got, next }
}

/** Decodes a chunked answer; `rest` is what follows it. */
function readChunks(text: string): { said: string; rest: string } {
  let said = ''
  let bytes = Buffer.from(text)
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n')
    const length = Number.parseInt(bytes.subarray(0, lineEnd).toString(), 16)
    const end = lineEnd + 2 + length
    expect(bytes.subarray(end, end + 2).toString()).toBe('\r\n')
    said += bytes.subarray(lineEnd + 2, end).toString()
    bytes = bytes.subarray(end + 2)
    if (length === 0) return { said, rest: bytes.toString() }
  }
}

describe('framing of an event stream', () => {
  const text = 'data: é 😀\n\n'
  const large = `data: ${'é😀'.repeat(20_000)}\n\n`
  const sayAll = (stream: EventStream) => {
    for (const part of ['', text, large]) stream.write(part)
    stream.writePieces({ pieces: [text, '', text], bytes: 2 * Buffer.byteLength(text) })
    stream.close({ retryMs: 5 })
  }
  const all = `${text}${large}${text}${text}retry: 5\n\n`
  const split = (answer: string) => {
    const at = answer.indexOf('\r\n\r\n')
    return { head: answer.slice(0, at).toLowerCase(), body: answer.slice(at + 4) }
  }

  it('uses chunks, and reuses the connection for the next request', async () => {
    const socket = openSocket()
    const { got, next } = listen(socket)
    socket.write(ask(ada))
    sayAll(await next())
    await vi.waitFor(() => expect(got.text.endsWith('\r\n0\r\n\r\n')).toBe(true), 20_000)
    const { head, body } = split(got.text)
    expect(head).toContain('transfer-encoding: chunked')
    expect(readChunks(body)).toEqual({ said: all, rest: '' })
    got.text = ''
    socket.write(ask(ada, '/health'))
    await vi.waitFor(() => expect(got.text).toContain('"status":"ok"'), 20_000)
    await leaveAll({ socket })
  })

  it('waits for the answer to the previous request on the same connection', async () => {
    const socket = openSocket()
    const { got, next } = listen(socket)
    socket.write(ask(ada, '/health') + ask(ada))
    sayAll(await next())
    await vi.waitFor(() => expect(got.text.endsWith('\r\n0\r\n\r\n')).toBe(true), 20_000)
    const [health, stream] = got.text.split('HTTP/1.1 200 OK').slice(1)
    expect(health).toContain('"status":"ok"')
    expect(readChunks(split(stream ?? '').body)).toEqual({ said: all, rest: '' })
    await leaveAll({ socket })
  })

  it('sends no chunks to an HTTP/1.0 reader, and ends with the connection', async () => {
    const socket = openSocket()
    const { got, next } = listen(socket)
    socket.write(ask(ada, '/probe', 'HTTP/1.0'))
    sayAll(await next())
    await vi.waitFor(() => expect(got.isOver).toBe(true), 20_000)
    const { head, body } = split(got.text)
    expect(head).not.toContain('transfer-encoding')
    expect(body).toBe(all)
    await leaveAll({ socket })
  })
})

describe('event stream', () => {
  it('accepts its first events at any size, and events written while those are in transit', async () => {
    const reader = await openReader(ada)
    const { stream } = reader.at
    stream.write(`data: ${'é'.repeat(8 * MB)}\n\n`)
    for (let at = 0; at < 20; at += 1) {
      stream.write(event(8 * 1024, `after ${at}`))
      await sleep(1)
    }
    expect(stream.closed.aborted).toBe(false)
    const got = readOn(reader)
    await vi.waitFor(() => expect(got.tail).toContain('after'), 20_000)
    stream.write(event(10, 'the last'))
    await vi.waitFor(() => expect(got.tail).toContain('the last'), 20_000)
    expect(got.bytes).toBeGreaterThan(16 * MB + 20 * 8 * 1024)
    await leaveAll(reader)
  }, 60_000)

  it('is cut before a reader exceeds the backlog limit, not after', async () => {
    const reader = await openReader(ada)
    const { stream, unsent } = reader.at
    // The system buffers some megabytes before any bytes remain here.
    for (let at = 0; at < 10_000 && unsent() === 0; at += 1) {
      stream.write(event(32 * 1024))
      await sleep(0)
    }
    expect(stream.closed.aborted).toBe(false)
    const before = process.memoryUsage()
    stream.write(event(40 * MB))
    expect(stream.closed.aborted).toBe(true)
    expect(unsent()).toBeLessThan(MB)
    expect(process.memoryUsage().external - before.external).toBeLessThan(MB)
    await leaveAll(reader)
  }, 60_000)

  it('ends after everything written has been sent, even if it is large', async () => {
    const reader = await openReader(ada)
    reader.at.stream.write(event(12 * MB))
    reader.at.stream.close({ retryMs: 7 })
    const got = readOn(reader)
    await vi.waitFor(() => expect(got.tail).toContain('retry: 7\n\n'), 20_000)
    expect(got.bytes).toBeGreaterThan(12 * MB)
    await leaveAll(reader)
  }, 60_000)

  it('is cut for the person with the largest backlog when the process exceeds its limit', async () => {
    const honest = await openReader(bob)
    honest.at.stream.write(event(15 * MB))
    const unread = []
    for (let at = 0; at < 6; at += 1) {
      const reader = await openReader(ada)
      unread.push(reader)
      reader.at.stream.write(event((15 + at) * MB))
      await sleep(20)
    }
    const isOpen = unread.map(({ at }) => !at.stream.closed.aborted)
    expect(isOpen).toContain(false)
    expect(isOpen).toContain(true)
    const got = readOn(honest)
    await vi.waitFor(() => expect(got.bytes).toBeGreaterThan(15 * MB), 20_000)
    expect(honest.at.stream.closed.aborted).toBe(false)
    await leaveAll(honest, ...unread)
  }, 60_000)

  it('is refused with 429 to a person with the maximum number of open streams, and to no one else', async () => {
    const readers = []
    for (let at = 0; at < 8; at += 1) readers.push(await openReader(ada))
    const refused = await openReader(ada)
    expect(refused.answer).toMatch(/^HTTP\/1.1 429 /)
    expect(refused.answer).toContain('"code":"rate_limited"')
    readers.push(await openReader(bob))
    readers[0]?.socket.destroy()
    await vi.waitFor(async () => {
      const again = await openReader(ada)
      readers.push(again)
      expect(again.answer).toMatch(/^HTTP\/1.1 200 /)
    }, 10_000)
    await leaveAll(...readers, refused)
  }, 60_000)
})
