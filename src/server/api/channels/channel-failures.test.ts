import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'

const WAIT = { timeout: 60_000 }
let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(async () => {
  await on.reset()
  on.slack.lacks.clear()
  await sql`delete from channel_posts`.execute(on.chat.app.deps.db)
})

const shown = async () => {
  const { body } = await on.as(on.admin, 'GET', '/admin/channels')
  const { unsent, unsure, unsent_detail } = body.items[0].day
  return { unsent, unsure, unsent_detail }
}
/** Paths of the chats whose answer may be missing in its channel. */
const told = async () => {
  const { body } = await on.chat.call('GET', '/notifications')
  const failed = body.items.filter(({ kind }: { kind: string }) => kind === 'reply_unsent')
  return failed.map(({ path }: { path: string }) => path)
}

describe('an answer that Slack does not take', () => {
  it('is counted with its reason, and the person finds it in the product [CH-04]', async () => {
    await on.place(['C1'])
    on.slack.fault = ({ path }) =>
      path === '/api/chat.postMessage' ? { json: { ok: false, error: 'is_archived' } } : null
    await on.mention({})
    await expect
      .poll(shown, WAIT)
      .toEqual({ unsent: 1, unsure: 0, unsent_detail: 'This channel is archived.' })
    const [chat] = await on.chatsOf()
    expect(await told()).toContain(`/chat/${chat?.id}`)
  }, 90_000)

  it('is unknown when Slack refuses to look for it after an interruption [CH-04]', async () => {
    await on.place(['C1'])
    let isCut = false
    on.slack.fault = ({ path }) => {
      if (path !== '/api/chat.postMessage' || isCut) return null
      isCut = true
      return { status: 500, json: {} }
    }
    on.slack.lacks.set('conversations.replies', 'channels:history')
    const before = (await told()).length
    await on.mention({})
    await expect
      .poll(shown, WAIT)
      .toEqual({ unsent: 0, unsure: 1, unsent_detail: expect.stringContaining('channels:history') })
    expect(await told()).toHaveLength(before + 1)
    expect(on.slack.posts).toEqual([])
  }, 90_000)
})

it('answers other people while one person cannot be read', async () => {
  await on.place(['C1'])
  on.slack.fault = ({ path, body }) =>
    path === '/api/users.info' && body?.user === 'UBROKEN' ? { status: 500, json: {} } : null
  const { event } = await on.mention({ user: 'UBROKEN' })
  await on.mention({})
  expect(await on.posted(1)).toEqual(['It opens at nine.'])
  // In the thread of that person too.
  await on.mention({ thread_ts: event.ts })
  expect(await on.posted(2)).toEqual(['It opens at nine.', 'It opens at nine.'])
}, 90_000)
