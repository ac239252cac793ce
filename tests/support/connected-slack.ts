import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { aUser, type TestUser } from './builders.ts'
import { type Answer, type Chat, startChat } from './chat.ts'
import { aReader } from './documents.ts'
import { type ModelRequest, says } from './model-server.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  type SlackAppServer,
  signSlack,
  slackEvent,
  slackPress,
  startSlackAppServer,
} from './slack-app-server.ts'

const WAIT = { timeout: 60_000 }

/** An installation that is connected to a recorded Slack. Its company has the person `chat.user`, who is in every channel. */
export type ConnectedSlack = {
  chat: Chat
  slack: SlackAppServer
  admin: TestUser
  companyId: string
  channelId: string
  as: (user: TestUser, method: string, path: string, body?: unknown) => Promise<Answer>
  /** Adds a person of the company with their Slack account. Returns both. */
  member: (id: string) => Promise<TestUser>
  /** Gives channels to an assistant, and direct messages to none. */
  place: (channels: string[], changes?: object) => Promise<string>
  send: (event: object, signed?: Parameters<typeof signSlack>[1]) => Promise<Answer>
  mention: (event: Partial<Parameters<typeof slackEvent>[0]>) => Promise<ReturnType<typeof slackEvent>>
  press: (user: string, button?: number) => Promise<void>
  /** Waits until so many messages were posted, and returns their texts. */
  posted: (count: number) => Promise<string[]>
  /** Begins a test: nothing was said, and the members of channels are not known. */
  reset: () => Promise<void>
  /** The newest events. */
  events: () => Promise<{ state: string; times: number; detail: string | null }[]>
  atRest: () => Promise<void>
  chatsOf: (user?: TestUser) => Promise<{ id: string }[]>
  /** The newest prompt of the model. */
  asked: () => string
  /** Adds a document of the asking person, which the company reads if it is shared. */
  aLease: (isShared: boolean) => Promise<string>
  /** Makes the model answer with the rent and the number of the lease in the prompt, if it is there. */
  citesLease: () => void
  close: () => Promise<void>
}

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
export const told = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)

export async function connectSlack(): Promise<ConnectedSlack> {
  const slack = await startSlackAppServer()
  const chat = await startChat({
    app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } },
    user: { role: 'member' },
  })
  const admin = await aUser(chat.app, { role: 'super_admin' })
  const { company_id: companyId } = await chat.app.deps.db
    .selectFrom('company_members')
    .select('company_id')
    .where('user_id', '=', chat.user.id)
    .executeTakeFirstOrThrow()
  const as: ConnectedSlack['as'] = async (user, method, path, body) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? null : JSON.stringify(body)
    const answer = await fetch(chat.url + path, { method, headers: { ...user.headers, ...type }, body: sent })
    return { status: answer.status, body: await answer.json() }
  }
  const made = await as(admin, 'POST', '/admin/channels', {
    ...{ kind: 'slack', name: 'Slack', company_id: companyId, address: slack.url },
    ...{ secret: SIGNING_SECRET, token: BOT_TOKEN },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const channelId: string = made.body.id
  slack.people.push({ id: 'UASKER', email: chat.user.email })
  const post = async (path: string, body: string, type: string, signed = {}): Promise<Answer> => {
    const headers = { 'content-type': type, ...signSlack(body, signed) }
    const answer = await fetch(`${chat.url}/channels/${channelId}/slack/${path}`, {
      method: 'POST',
      headers,
      body,
    })
    return { status: answer.status, body: await answer.json() }
  }
  const send: ConnectedSlack['send'] = (event, signed) =>
    post('events', JSON.stringify(event), 'application/json', signed)
  const { db } = chat.app.deps
  const events: ConnectedSlack['events'] = async () => {
    const { rows } = await sql<{ state: string; times: number; detail: string | null }>`
      select state, times, detail from channel_events where channel_id = ${channelId}
      order by received_at desc limit 20`.execute(db)
    return rows
  }
  const isOver = async () => (await events()).every(({ state }) => state === 'done' || state === 'failed')
  return {
    ...{ chat, slack, admin, companyId, channelId, as, send },
    member: async (id) => {
      const user = await aUser(chat.app, { role: 'member', companyId })
      slack.people.push({ id, email: user.email })
      return user
    },
    place: async (channels, changes = {}) => {
      const { body } = await chat.call('POST', '/assistants', {
        ...{ name: 'Reception', system_prompt: 'You are the reception.', model_name: 'compatible/scripted' },
        ...{ status: 'published', ...changes },
      })
      await sql`insert into assistant_shares (assistant_id, company_id, access) values (${body.id}, ${companyId}, 'use')`.execute(
        chat.app.deps.db,
      )
      const places = channels.map((foreign_id) => ({
        foreign_id,
        name: `#${foreign_id}`,
        assistant_id: body.id,
      }))
      const direct = { foreign_id: 'direct', name: 'Direct messages', assistant_id: null }
      const put = await as(admin, 'PUT', `/admin/channels/${channelId}/places`, {
        places: [...places, direct],
      })
      expect(put.status, JSON.stringify(put.body)).toBe(200)
      for (const channel of channels)
        if (!slack.channels.has(channel))
          slack.channels.set(channel, { name: channel, members: ['UBOT', 'UASKER'] })
      return body.id
    },
    mention: async (given) => {
      const event = slackEvent({ channel: 'C1', user: 'UASKER', text: '<@UBOT> When do you open?', ...given })
      const { status, body } = await send(event)
      expect(status, JSON.stringify(body)).toBe(200)
      return event
    },
    press: async (user, button = 0) => {
      const asked = slack.posts.find(({ blocks }) => blocks.some(({ type }) => type === 'actions'))
      const form = new URLSearchParams({ payload: JSON.stringify(slackPress(asked!, user, button)) })
      const { status } = await post('actions', form.toString(), 'application/x-www-form-urlencoded')
      expect(status).toBe(200)
    },
    posted: async (count) => {
      await expect.poll(() => slack.posts.length, WAIT).toBe(count)
      return slack.posts.map(({ text }) => text)
    },
    reset: async () => {
      await sql`update channel_places set members_read_at = null`.execute(db)
      slack.posts.length = 0
      slack.ephemerals.length = 0
      slack.fault = () => null
      slack.channels.clear()
      chat.model.requests.length = 0
      chat.model.forget()
      chat.model.always([says('It opens at nine.')])
    },
    events,
    atRest: () => expect.poll(isOver, WAIT).toBe(true),
    chatsOf: async (user = chat.user) => (await as(user, 'GET', '/sessions')).body.items,
    asked: () => told(chat.model.requests.at(-1)),
    aLease: async (isShared) => {
      const reader = await aReader(chat.app, chat.url, chat.user)
      const content = `${LEASE} Number ${randomUUID()}.`
      const { body } = await reader.upload({ name: `lease-${isShared}.txt`, content })
      await reader.processed(body.id)
      if (isShared)
        await sql`update documents set company_id = ${companyId} where id = ${body.id}`.execute(db)
      return body.id
    },
    citesLease: () =>
      chat.model.always((request) => {
        const [before = '', behind] = told(request).split(LEASE)
        const number = before.match(/\[\d+\] /g)?.at(-1)
        if (behind === undefined || !number) return [says('I do not know the rent.')]
        return [says(`The rent is 4 200 euros ${number.trim()}.`)]
      }),
    close: async () => {
      await chat.close()
      slack.close()
    },
  }
}
