import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser, type TestUser } from '../support/builders.ts'
import { startChannelProcess } from '../support/channel-process.ts'
import { type ModelServer, says, startModelServer, waits } from '../support/model-server.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  type SlackAppServer,
  signSlack,
  slackEvent,
  startSlackAppServer,
} from '../support/slack-app-server.ts'

const KILLS = Number(process.env.CHANNEL_KILLS ?? 6)
/** Messages sent before each kill. */
const MESSAGES = 4

let slack: SlackAppServer
let model: ModelServer
let app: TestApp
let asker: TestUser
let channelId: string
const config = () => ({
  ATRIUM_COMPATIBLE_URL: model.url,
  ATRIUM_SECRET_KEY: 'of all that share this database',
})
beforeAll(async () => {
  slack = await startSlackAppServer()
  model = await startModelServer()
  app = await startApp({ config: config(), jobs: false })
  asker = await aUser(app, { role: 'member' })
  const admin = await aUser(app, { role: 'super_admin' })
  const { rows } = await sql<{
    id: string
  }>`select company_id as id from company_members where user_id = ${asker.id}`.execute(app.deps.db)
  const call = async (user: TestUser, method: 'POST' | 'PUT', url: string, payload: object) =>
    (await app.http.inject({ method, url: `/api/v1${url}`, headers: user.headers, payload })).json()
  const connection = { kind: 'slack', name: 'Slack', company_id: rows[0]?.id, address: slack.url }
  const made = await call(admin, 'POST', '/admin/channels', {
    ...connection,
    secret: SIGNING_SECRET,
    token: BOT_TOKEN,
  })
  channelId = made.id
  const answering = { name: 'Reception', status: 'published', model_name: 'compatible/scripted' }
  const assistant = await call(asker, 'POST', '/assistants', answering)
  await call(admin, 'PUT', `/admin/channels/${channelId}/places`, {
    places: [{ foreign_id: 'C1', name: '#C1', assistant_id: assistant.id }],
  })
  slack.people.push({ id: 'UASKER', email: asker.email })
  slack.channels.set('C1', { name: 'C1', members: ['UBOT', 'UASKER'] })
})
afterAll(async () => {
  await app.close()
  await model.close()
  slack.close()
})

/** Sends an event until it is confirmed so many times. Slack repeats one that was confirmed too late. */
async function deliver(urls: string[], event: object, times = 2): Promise<void> {
  const body = JSON.stringify(event)
  for (let confirmed = 0; confirmed < times; ) {
    const url = urls[Math.floor(Math.random() * urls.length)]
    const headers = { 'content-type': 'application/json', ...signSlack(body) }
    const answer = await fetch(`${url}/api/v1/channels/${channelId}/slack/events`, {
      method: 'POST',
      headers,
      body,
    }).catch(() => null)
    if (answer?.status === 200) confirmed += 1
    else await sleep(100)
  }
}

it('answers each message once in several processes of which one is killed again and again [CH-04]', {
  timeout: 600_000,
}, async () => {
  model.always(() => [waits(sleep(Math.random() * 400)), says('It opens at nine.')])
  // An answer may also be lost on its way back, after Slack has the message.
  slack.beforeAnswer = ({ path }) => sleep(path === '/api/chat.postMessage' ? Math.random() * 200 : 0)
  const stays = await startChannelProcess(app.address, config())
  const sent: string[] = []
  for (let killed = 0; killed < KILLS; killed += 1) {
    const dies = await startChannelProcess(app.address, config())
    const deliveries = Array.from({ length: MESSAGES }, async () => {
      const event = slackEvent({ channel: 'C1', user: 'UASKER', text: '<@UBOT> When do you open?' })
      sent.push(event.event.ts)
      await deliver(killed === 0 ? [dies.url, stays.url] : [stays.url, dies.url], event)
    })
    await sleep(200 + Math.random() * 1_500)
    await dies.kill()
    await Promise.all(deliveries)
  }
  const answered = () => slack.posts.map(({ thread_ts }) => thread_ts).toSorted()
  await expect.poll(() => new Set(answered()).size, { timeout: 240_000, interval: 500 }).toBe(sent.length)
  const open = async () =>
    (
      await sql<{
        count: number
      }>`select (select count(*)::int from channel_events where state not in ('done')) +
        (select count(*)::int from channel_posts where state <> 'posted') as count`.execute(app.deps.db)
    ).rows[0]?.count
  await expect.poll(open, { timeout: 120_000, interval: 500 }).toBe(0)
  expect(answered()).toEqual(sent.toSorted())
  expect(slack.posts.every(({ text }) => text === 'It opens at nine.')).toBe(true)
  const { rows } = await sql<{
    chats: number
  }>`select count(*)::int as chats from sessions where user_id = ${asker.id}`.execute(app.deps.db)
  expect(rows).toEqual([{ chats: sent.length }])
  await stays.kill()
  slack.beforeAnswer = async () => undefined
})

/** Methods of Slack, and whether the request took effect when the process is killed. */
const moments = [
  ['before the asker is known', 'users.info', true],
  ['while the post is on its way', 'chat.postMessage', false],
  ['after Slack has the post', 'chat.postMessage', true],
] as const

it.each(moments)(
  'answers once when the process is killed %s [CH-04]',
  { timeout: 240_000 },
  async (_, method, tookEffect) => {
    model.always(() => [says('It opens at nine.')])
    slack.posts.length = 0
    const first = await startChannelProcess(app.address, config())
    let killed: Promise<void> | null = null
    slack.fault = ({ path }) => {
      if (tookEffect || killed || path !== `/api/${method}`) return null
      killed = first.kill()
      return { status: 500, json: {} }
    }
    slack.beforeAnswer = async ({ path }) => {
      if (!killed && path === `/api/${method}`) killed = first.kill()
      await killed
    }
    const event = slackEvent({ channel: 'C1', user: 'UASKER', text: '<@UBOT> When do you open?' })
    await deliver([first.url], event, 1)
    await expect.poll(() => killed, { timeout: 60_000 }).not.toBeNull()
    await killed
    slack.fault = () => null
    slack.beforeAnswer = async () => undefined
    expect(slack.posts).toHaveLength(method === 'chat.postMessage' && tookEffect ? 1 : 0)
    const second = await startChannelProcess(app.address, config())
    const state = async () =>
      (
        await sql<{
          event: string
          post: string | null
        }>`select e.state as event, p.state as post from channel_events e
        left join channel_posts p on p.event_id = e.id where e.foreign_id = ${`C1 ${event.event.ts}`}`.execute(
          app.deps.db,
        )
      ).rows
    await expect.poll(state, { timeout: 150_000, interval: 500 }).toEqual([{ event: 'done', post: 'posted' }])
    expect(slack.posts.map(({ text }) => text)).toEqual(['It opens at nine.'])
    await second.kill()
  },
)
