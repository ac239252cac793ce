import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { endRun } from '../../runs/runs/context/live-run.ts'

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }

let chat: Chat
let other: TestApp
let otherUrl: string
let lease: string
beforeAll(async () => {
  chat = await startChat({ app: { config } })
  const ada = await aReader(chat.app, chat.url, chat.user)
  lease = (await ada.upload({ name: 'lease.txt', content: LEASE })).body.id
  await ada.processed(lease)
  const same = { ATRIUM_COMPATIBLE_URL: chat.model.url, ...config }
  other = await startApp({ address: chat.app.address, config: same })
  otherUrl = `${await other.listen()}/api/v1`
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

/** Makes the run's process lose it after the model was asked, and returns the message as another process completed it. */
async function takenOver(sessionId: string, content: string, requests: number, gate: () => void) {
  chat.model.requests.length = 0
  const stream = await chat.ask(sessionId, content)
  await expect.poll(() => chat.model.requests.length).toBe(requests)
  await expect.poll(() => stream.view()?.run_id).toBeTruthy()
  const runId = stream.view()?.run_id ?? ''
  const far = await openStream(`${otherUrl}/sessions/${sessionId}/task-stream`, {
    headers: chat.user.headers,
  })
  await far.until('task_stream_init')
  const live = chat.app.deps.engine.live.get(runId)
  if (live) endRun(live, 'lost')
  await chat.app.deps.db.updateTable('runs').set({ owner: null }).where('id', '=', runId).execute()
  await far.ended
  gate()
  stream.leave()
  return far.view()!
}

describe('a cited answer whose process dies', () => {
  it('is written again without partial citations, with the same numbers, and without a second search', async () => {
    const id = await chat.aSession()
    await chat.call('POST', `/sessions/${id}/documents/${lease}`)
    const gate = aGate()
    chat.model.reply(
      [says('The rent of the warehouse [1] is [', '1'), waits(gate.opened), says('].')],
      [says('The rent is 4 200 euros [', '1].')],
    )
    const view = await takenOver(id, 'Rent?', 1, gate.open)
    const [tag, ...more] = findCitations(view.content)
    expect(more).toEqual([])
    expect(view.content).toBe(`The rent is 4 200 euros <citation chunk="${tag?.chunk_id}">[1]</citation>.`)
    expect(view.blocks.filter(({ type }) => type === 'step')).toHaveLength(1)
    const text = view.blocks.find((block) => block.type === 'text')
    expect(text).toMatchObject({ sources: [{ id: tag?.chunk_id, passage: { document_id: lease } }] })
  })

  it('does not repeat the search of a tool that had found its passages', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply(
      [calls('document_search', { query: 'rent of the warehouse' })],
      [says('The rent [', '1'), waits(gate.opened), says('].')],
      [says('The rent is 4 200 euros [1].')],
      [says('4 200 euros [1].')],
    )
    // The other process has its own, empty vector store.
    const view = await takenOver(id, 'Look', 2, gate.open)
    expect(view.content).toMatch(/^4 200 euros <citation chunk="[^"]+">\[1\]<\/citation>\.$/)
    expect(chat.model.requests).toHaveLength(4)
    expect(view.blocks.find((block) => block.type === 'tool')).toMatchObject({ status: 'complete' })
  })
})
