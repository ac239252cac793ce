import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'
import { says } from '#tests/model-server.ts'
import { slackEvent } from '#tests/slack-app-server.ts'

let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(() => {
  on.slack.posts.length = 0
  on.slack.ephemerals.length = 0
  on.chat.model.forget()
  on.chat.model.always([says('It opens at nine.')])
})

const events = async () =>
  (
    await sql<{ state: string; times: number; detail: string | null }>`
      select state, times, detail from channel_events where channel_id = ${on.channelId} order by received_at desc limit 10`.execute(
      on.chat.app.deps.db,
    )
  ).rows
const asked = () => JSON.stringify(on.chat.model.requests.at(-1)?.messages)

describe('a mention in a channel of Slack', () => {
  it('is answered in its thread, which is a chat of the person who asked', async () => {
    await on.place('C1')
    const { event } = await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    expect(on.slack.posts[0]).toMatchObject({ channel: 'C1', thread_ts: event.ts })
    expect(asked()).toContain('You are the reception.')
    const { items } = (await on.chat.call('GET', '/sessions')).body
    expect(items).toHaveLength(1)
    const messages = (await on.chat.call('GET', `/sessions/${items[0].id}/messages`)).body
    expect(JSON.stringify(messages)).toContain('When do you open?')
    // Without a mention, later messages go on in the thread.
    await on.send(slackEvent({ ...event, type: 'message', ts: '1800000000.1', thread_ts: event.ts, text: 'And on Sundays?' }))
    await on.posted(2)
    expect(asked()).toContain('And on Sundays?')
    expect(asked()).toContain('When do you open?')
    expect((await on.chat.call('GET', '/sessions')).body.items).toHaveLength(1)
    expect(await events()).toMatchObject([{ state: 'done' }, { state: 'done' }])
  }, 60_000)
})
