import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'
import { switchOffTrash } from '#tests/no-trash.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const chunk = '7d0c1f2a-5b1e-4c55-9d3b-0a4d6f1b2c3d'

/** Creates a session with a question and its reply. */
async function aReply(reply = 'It opens at nine.') {
  chat.model.reply([says(reply)])
  const sessionId = await chat.aSession()
  await (await chat.ask(sessionId, 'When does it open?')).ended
  const [asked, answered] = (await chat.call('GET', `/sessions/${sessionId}/active-branch`)).body
    .active_branch
  const judge = (id: string, body: object, headers = {}) =>
    chat.call('PUT', `/sessions/${sessionId}/messages/${id}/feedback`, body, headers)
  const list = async () => (await chat.call('GET', `/sessions/${sessionId}/feedback`)).body
  return { sessionId, askedId: asked.id as string, replyId: answered.id as string, judge, list }
}

const rowOf = (messageId: string) =>
  chat.app.deps.db.selectFrom('feedback').selectAll().where('message_id', '=', messageId).executeTakeFirst()

describe('feedback', () => {
  it('stores reason and comment, can be changed and withdrawn', async () => {
    const { sessionId, replyId, judge, list } = await aReply()
    expect(await list()).toEqual([])
    const down = { rating: 'down', reason: 'incomplete', comment: '  Sundays are missing. ' }
    const kept = { message_id: replyId, ...down, comment: 'Sundays are missing.', is_shown: false }
    expect(await judge(replyId, down)).toMatchObject({ status: 200, body: kept })
    expect(await list()).toEqual([kept])
    await judge(replyId, { rating: 'up' })
    expect(await list()).toEqual([
      { message_id: replyId, rating: 'up', reason: null, comment: null, is_shown: false },
    ])
    const url = `${chat.url}/sessions/${sessionId}/messages/${replyId}/feedback`
    const taken = await fetch(url, { method: 'DELETE', headers: chat.user.headers })
    expect(taken.status).toBe(204)
    expect(await list()).toEqual([])
  })

  it('stores the passages that the reply cites, each once', async () => {
    const { replyId, judge } = await aReply()
    const tag = `<citation chunk="${chunk}">[1]</citation>`
    await chat.app.deps.db
      .updateTable('messages')
      .set({ content: `At nine.${tag} Daily.${tag}` })
      .where('id', '=', replyId)
      .execute()
    await judge(replyId, { rating: 'down', reason: 'unsupported' })
    expect(await rowOf(replyId)).toMatchObject({ chunk_ids: [chunk], reason: 'unsupported' })
  })

  it('is refused for questions, unfinished replies and unknown reasons', async () => {
    const { askedId, replyId, judge } = await aReply()
    expect(await judge(askedId, { rating: 'up' })).toMatchObject({ status: 422 })
    expect(await judge(replyId, { rating: 'sideways' })).toMatchObject({ status: 422 })
    expect(await judge(replyId, { rating: 'down', reason: 'rude' })).toMatchObject({ status: 422 })
    const { open, opened } = aGate()
    chat.model.reply([says('It '), waits(opened), says('opens.')])
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'When?')
    await stream.until('response_chunk')
    const { active_branch } = (await chat.call('GET', `/sessions/${sessionId}/active-branch`)).body
    const path = `/sessions/${sessionId}/messages/${active_branch.at(-1).id}/feedback`
    expect(await chat.call('PUT', path, { rating: 'up' })).toMatchObject({ status: 409 })
    open()
    await stream.ended
    expect(await chat.call('PUT', path, { rating: 'up' })).toMatchObject({ status: 200 })
  })

  it('is deleted with its message and private to its user', async () => {
    const { sessionId, replyId, judge } = await aReply()
    await judge(replyId, { rating: 'up' })
    const stranger = await aUser(chat.app)
    const seen = await chat.call('GET', `/sessions/${sessionId}/feedback`, undefined, stranger.headers)
    expect(seen.status).toBe(403)
    await switchOffTrash(chat.app)
    await chat.call('DELETE', `/sessions/${sessionId}`)
    await expect.poll(() => rowOf(replyId)).toBeUndefined()
  })
})
