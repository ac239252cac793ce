import { sql } from 'kysely'
import { expect } from 'vitest'
import { aUser, type TestUser } from './builders.ts'
import { type Answer, type Chat, startChat } from './chat.ts'
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
  close: () => Promise<void>
}

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
    close: async () => {
      await chat.close()
      slack.close()
    },
  }
}
