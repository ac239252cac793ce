import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'
import { calls, says } from '#tests/model-server.ts'
import { slackEvent } from '#tests/slack-app-server.ts'
import { requestWork } from './request-work.ts'

let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(() => on.reset())
const db = () => on.chat.app.deps.db

describe('what is read for a reply', () => {
  it('is only what all members of the channel may read, in a direct message what the person may read [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1', 'C2'], { documents: [own] })
    await on.member('UCOLLEAGUE')
    on.citesLease()
    // Alone in the channel.
    await on.mention({ channel: 'C1', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(1))[0]).toContain('The rent is 4 200 euros')
    // The colleague is on a later page of the members.
    on.slack.channels.get('C2')?.members.push('UBOT', 'UBOT', 'UBOT', 'UCOLLEAGUE')
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(2))[1]).toBe('I do not know the rent.')
    expect(on.asked()).not.toContain('4 200')
    await sql`update documents set company_id = ${on.companyId} where id = ${own}`.execute(db())
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(3))[2]).toContain('The rent is 4 200 euros')
    // A member without an account reads what visitors may read: nothing.
    on.slack.people.push({ id: 'UOTHER', email: 'other@other.example' })
    on.slack.channels.get('C2')?.members.push('UOTHER')
    await sql`update channel_places set members_read_at = now() - interval '61 seconds'`.execute(db())
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(4))[3]).toBe('I do not know the rent.')
  }, 120_000)

  it('counts in the product too, where the thread continues [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UREADER')
    on.slack.channels.get('C1')?.members.push('UREADER')
    on.citesLease()
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    await on.posted(1)
    const [{ id } = { id: '' }] = await on.chatsOf()
    const askAgain = async () => {
      const stream = await on.chat.ask(id, 'What is the rent in Lyon?')
      await stream.ended
      return on.asked()
    }
    expect(await askAgain()).not.toContain('4 200')
    on.slack.people.push({ id: 'UGUEST2', email: 'guest2@other.example' })
    on.slack.channels.get('C1')?.members.push('UGUEST2')
    await sql`update channel_places set members_read_at = null`.execute(db())
    expect(await askAgain()).not.toContain('4 200')
    on.slack.channels.set('C1', { name: 'C1', members: ['UBOT', 'UASKER'] })
    await sql`update channel_places set members_read_at = null`.execute(db())
    expect(await askAgain()).toContain('4 200')
  }, 60_000)

  it('is checked again when the answer is made: who joins meanwhile and may not read it does not see it [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UJOINED')
    on.citesLease()
    const script = on.chat.model
    on.slack.fault = ({ path, body }) => {
      // The colleague joins while the model writes.
      if (path === '/api/conversations.members' && script.requests.length > 0 && body)
        on.slack.channels.get('C1')!.members = ['UBOT', 'UASKER', 'UJOINED']
      return null
    }
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    const [text = ''] = await on.posted(1)
    expect(on.asked()).toContain('4 200')
    expect(text).toMatch(
      /^I cannot show this answer here: not everyone in this channel may read its sources\./,
    )
    expect(text).not.toContain('4 200')
  }, 60_000)

  it('stays out of the channel when a later answer repeats it without a source [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('ULATER')
    on.chat.model.always([says('The rent is 4 200 euros.')])
    const { event } = await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(1))[0]).toContain('4 200')
    const again = async (ts: string) => {
      const text = 'Repeat your last answer.'
      await on.send(
        slackEvent({ channel: 'C1', user: 'UASKER', type: 'message', text, ts, thread_ts: event.ts }),
      )
      return (await on.posted(on.slack.posts.length + 1)).at(-1)
    }
    on.slack.channels.get('C1')?.members.push('ULATER')
    await sql`update channel_places set members_read_at = null`.execute(db())
    expect(await again('1900000001.1')).toMatch(/^I cannot show this answer here/)
    on.slack.channels.set('C1', { name: 'C1', members: ['UBOT', 'UASKER'] })
    expect(await again('1900000001.2')).toContain('4 200')
  }, 60_000)

  it('is not shown by a question to who joins meanwhile: it waits in the product [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UWATCHER')
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('Thank you.')]
        : [
            calls('ask_person', {
              prompt: 'Is the rent 4 200 euros?',
              fields: [{ name: 'rent', label: 'Rent', type: 'text' }],
            }),
          ],
    )
    on.slack.fault = ({ path }) => {
      if (path === '/api/conversations.members' && on.chat.model.requests.length > 0)
        on.slack.channels.get('C1')!.members = ['UBOT', 'UASKER', 'UWATCHER']
      return null
    }
    const { event } = await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    const [text = ''] = await on.posted(1)
    expect(on.asked()).toContain('4 200')
    expect(text).toMatch(
      /^A question for .+ waits in Atrium, because not everyone in this channel may read its sources: http/,
    )
    expect(text).not.toContain('4 200')
    // A message is no answer to a question that is not shown.
    const [ts, said] = ['1900000002.1', 'Lunch?']
    await on.send(
      slackEvent({ channel: 'C1', user: 'UASKER', type: 'message', text: said, ts, thread_ts: event.ts }),
    )
    const { body } = await on.chat.call('GET', '/input-requests')
    expect(body.items).toHaveLength(1)
    const [{ session_id, request }] = body.items
    const answered = { checkpoint_name: request.checkpoint_name, input: '4 200 euros', input_type: 'text' }
    const given = await on.chat.call('POST', `/sessions/${session_id}/provide-input`, answered)
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    await requestWork(on.chat.app.deps, on.channelId)
    const texts = () => on.slack.posts.map((post) => post.text)
    await expect.poll(texts, { timeout: 60_000 }).toContain('Answered.')
    expect(JSON.stringify(texts())).not.toContain('4 200')
    await on.atRest()
  }, 90_000)

  it('is checked for the members of the thread when the thread continues in another chat [CH-05]', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UAFTER')
    on.citesLease()
    let isCut = false
    on.slack.fault = ({ path }) => {
      if (path !== '/api/chat.postMessage' || isCut) return null
      isCut = true
      return { status: 500, json: {} }
    }
    const { event } = await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    await expect.poll(() => isCut, { timeout: 60_000 }).toBe(true)
    expect(on.asked()).toContain('4 200')
    const setActive = (isActive: boolean) =>
      sql`update users set deactivated_at = ${isActive ? null : new Date()} where id = ${on.chat.user.id}`.execute(
        db(),
      )
    onTestFinished(async () => void (await setActive(true)))
    await setActive(false)
    on.slack.channels.get('C1')?.members.push('UAFTER')
    await on.send(
      slackEvent({ channel: 'C1', type: 'message', user: 'UAFTER', text: 'And now?', thread_ts: event.ts }),
    )
    const [first = '', second] = await on.posted(2)
    expect(first).toMatch(/^I cannot show this answer here/)
    expect(second).toBe('I do not know the rent.')
  }, 90_000)

  it('is answered in a direct message with what the person may read', async () => {
    const own = await on.aLease(false)
    await on.place(['C1'])
    on.citesLease()
    on.slack.posts.length = 0
    const chats = await on.chatsOf()
    await on.mention({ channel: 'D1', channel_type: 'im', type: 'message', text: 'Say hello.' } as never)
    await on.posted(1)
    const [{ id } = { id: '' }] = (await on.chatsOf()).filter(
      (one: { id: string }) => !chats.some((old: { id: string }) => old.id === one.id),
    )
    await on.chat.call('POST', `/sessions/${id}/documents/${own}`)
    const [first] = on.slack.posts
    const thread_ts = first!.thread_ts
    await on.mention({
      channel: 'D1',
      channel_type: 'im',
      type: 'message',
      thread_ts,
      text: 'What is the rent in Lyon?',
    } as never)
    expect((await on.posted(2))[1]).toContain('The rent is 4 200 euros')
  }, 60_000)
})
