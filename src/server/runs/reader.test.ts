import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { hangs, says } from '../../../tests/support/model-server.ts'
import { readRun } from '../../../tests/support/runs.ts'

/** Opens a stream on a bare socket; what comes is read only when the test says so. */
function openSocket(chat: Chat, path: string) {
  const { port } = new URL(chat.url)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [
    `GET /api/v1${path} HTTP/1.1`,
    'host: test',
    `authorization: Bearer ${chat.user.token}`,
    '',
    '',
  ]
  socket.write(lines.join('\r\n'))
  return socket
}

describe('an open stream', () => {
  it('ST-26 is ended with a retry hint when the server stops, and its run goes on at the next start', async () => {
    const chat = await startChat()
    const id = await chat.aSession()
    chat.model.reply([says('one'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    let text = ''
    const socket = openSocket(chat, `/sessions/${id}/task-stream`)
    socket.on('data', (bytes) => (text += bytes.toString()))
    const ended = new Promise((resolve) => socket.once('end', resolve))
    await sleep(100)
    const runId = stream.view()?.run_id ?? ''
    await chat.app.http.close()
    await ended
    expect(text).toContain('retry: 1000')
    const { run } = await readRun(chat.app, runId)
    expect(run).toMatchObject({ state: 'running', owner: null })
    socket.destroy()
    await chat.close()
  }, 30_000)

  it('ST-26 that is not read is cut, and never slows the run', async () => {
    const chat = await startChat()
    const id = await chat.aSession()
    chat.model.reply([says(...Array.from({ length: 400 }, () => 'x'.repeat(60_000)))])
    const sleeper = openSocket(chat, `/sessions/${id}/events`)
    const cut = new Promise((resolve) => sleeper.once('close', resolve))
    await sleep(100)
    await chat.call('POST', '/messages', { content: 'Go', chat_session_id: id })
    await vi.waitFor(async () => {
      const { body } = await chat.call('GET', `/sessions/${id}`)
      expect(body.status).toBe('COMPLETED')
    }, 20_000)
    const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(body.active_branch[1].content).toHaveLength(400 * 60_000)
    let received = 0
    sleeper.on('data', (bytes) => (received += bytes.length))
    await cut
    expect(received).toBeLessThan(2 * 400 * 60_000)
    await chat.close()
  }, 60_000)
})
