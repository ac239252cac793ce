import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { hangs, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import type { Feature } from '../../feature.ts'
import { serve } from '../../platform/http/serve.ts'
import { createReaders } from './readers.ts'

/** Opens a stream on a bare socket that reads only when the test does. */
function openSocket(chat: Chat, path: string) {
  const { port } = new URL(chat.url)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [
    `GET /api/v1${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${chat.user.token}`,
    '',
    '',
  ]
  socket.write(lines.join('\r\n'))
  return socket
}

describe('an open stream', () => {
  it('ends with a retry hint when the server stops, and its run resumes at the next start [ST-26]', async () => {
    const chat = await startChat()
    const id = await chat.aSession()
    chat.model.reply([says('one'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    let text = ''
    const socket = openSocket(chat, `/sessions/${id}/task-stream`)
    socket.on('data', (bytes) => (text += bytes.toString()))
    const ended = new Promise((resolve) => socket.once('end', resolve))
    await vi.waitFor(() => expect(text).toContain('task_stream_init'), 20_000)
    const runId = stream.view()?.run_id ?? ''
    await chat.app.http.close()
    await ended
    expect(text).toContain('retry: 1000')
    const { run } = await readRun(chat.app, runId)
    expect(run).toMatchObject({ state: 'running', owner: null })
    socket.destroy()
    await chat.close()
  }, 90_000)

  it('is closed when it is not read, and never slows the run [ST-26]', async () => {
    const chat = await startChat({ app: { config: { ATRIUM_LIMIT_ANSWER_KB: '65536' } } })
    const id = await chat.aSession()
    chat.model.reply([says(...Array.from({ length: 400 }, () => 'x'.repeat(60_000)))])
    const sleeper = openSocket(chat, `/sessions/${id}/events`)
    const cut = new Promise((resolve) => sleeper.once('close', resolve))
    // The first bytes have arrived and stay unread.
    await once(sleeper, 'readable')
    await chat.call('POST', '/messages', { content: 'Go', chat_session_id: id })
    await vi.waitFor(async () => {
      const { body } = await chat.call('GET', `/sessions/${id}`)
      expect(body.status).toBe('COMPLETED')
    }, 20_000)
    const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(body.active_branch.at(-1).content).toHaveLength(400 * 60_000)
    let received = 0
    sleeper.on('data', (bytes) => (received += bytes.length))
    await cut
    expect(received).toBeLessThan(2 * 400 * 60_000)
    await chat.close()
  }, 90_000)
})

describe('the permission check of an open stream', () => {
  const recheckMs = 300
  /** A stream that stays open and is rechecked more often than in production. */
  const probe: Feature = (server) => {
    const stream = route({ method: 'GET', path: '/probe', access: 'user', summary: 'Probe', kind: 'stream' })
    const readers = createReaders(server, { pingMs: 50, recheckMs })
    serve(server, stream, {
      handle: async ({ request, reply }) => {
        readers.open(request, reply)
        return undefined
      },
    })
  }
  let now = new Date()
  let app: TestApp
  let url: string
  beforeAll(async () => {
    app = await startApp({ features: [probe], clock: { now: () => now } })
    url = `${await app.listen()}/api/v1/probe`
  })
  afterAll(() => app.close())

  const ways: [string, (token: string) => Promise<OpenStream>][] = [
    ['header', (token) => openStream(url, { headers: { authorization: `Bearer ${token}` } })],
    ['cookie', (token) => openStream(url, { headers: { cookie: `sse_auth_token=${token}` } })],
    ['query', (token) => openStream(`${url}?token=${token}`)],
  ]

  it.each(ways)('closes with unauthorized when the token ends (%s) [ST-29]', async (_, open) => {
    const [leaver, stayer] = [await aUser(app), await aUser(app)]
    const [left, stays] = [await open(leaver.token), await open(stayer.token)]
    await left.until('ping')
    await app.deps.db.deleteFrom('access_tokens').where('user_id', '=', leaver.id).execute()
    const asked = Date.now()
    const { data } = await left.until('unauthorized')
    await left.ended
    expect(Date.now() - asked).toBeLessThan(recheckMs + 20_000)
    expect(JSON.parse(data)).toEqual({ detail: 'Could not validate credentials' })
    await sleep(recheckMs * 2)
    expect(stays.wire.every(({ event }) => event === 'ping')).toBe(true)
    stays.leave()
  })

  it('closes when the user loses the right to read', async () => {
    const chat = await startChat()
    const id = await chat.aSession()
    const events = await chat.follow(`/sessions/${id}/events`)
    await events.until('connection_established')
    const other = await chat.follow(`/sessions/${await chat.aSession()}/events`)
    await chat.app.deps.db.deleteFrom('sessions').where('id', '=', id).execute()
    chat.app.deps.streams.readers.recheck({ userId: chat.user.id })
    await events.ended
    expect(events.wire.map(({ event }) => event)).not.toContain('unauthorized')
    await expect(chat.follow(`/sessions/${id}/events`)).rejects.toThrow('answered 404')
    other.leave()
    await chat.close()
  })

  it('closes the streams of a deleted chat on every process and leaves the others open', async () => {
    const chat = await startChat({ user: { role: 'super_admin' } })
    const there = await startApp({ address: chat.app.address })
    const places = [chat.url, `${await there.listen()}/api/v1`]
    const [id, kept] = [await chat.aSession(), await chat.aSession()]
    const follow = async (session: string) => {
      const opened = places.map((place) =>
        openStream(`${place}/sessions/${session}/events`, { headers: chat.user.headers }),
      )
      const streams = await Promise.all(opened)
      for (const stream of streams) await stream.until('connection_established')
      return streams
    }
    const [gone, stays] = [await follow(id), await follow(kept)]
    const asked = performance.now()
    await chat.call('DELETE', `/sessions/${id}`)
    for (const { ended } of gone) await ended
    // Without the notification the recheck would take a minute.
    expect(performance.now() - asked).toBeLessThan(20_000)
    await chat.call('POST', `/sessions/${kept}/test-event`, { event_type: 'still_here', data: {} })
    for (const stream of stays) {
      await stream.until('still_here')
      stream.leave()
    }
    await there.close()
    await chat.close()
  })

  it('closes when the token expires during the stream [AU-29]', async () => {
    const user = await aUser(app)
    const stream = await openStream(url, { headers: user.headers })
    await stream.until('ping')
    now = new Date(now.getTime() + 31 * 86_400_000)
    await stream.until('unauthorized')
    await stream.ended
    now = new Date()
  })

  it('leaves the stream open when the check itself fails', async () => {
    const user = await aUser(app)
    const stream = await openStream(url, { headers: user.headers })
    await stream.until('ping')
    await sql`alter table access_tokens rename to hidden_tokens`.execute(app.deps.db)
    await sleep(recheckMs * 3)
    await sql`alter table hidden_tokens rename to access_tokens`.execute(app.deps.db)
    expect(stream.wire.every(({ event }) => event === 'ping')).toBe(true)
    stream.leave()
  })
})
