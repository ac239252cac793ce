import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectedSlack, connectSlack, told } from '#tests/connected-slack.ts'
import { calls, says } from '#tests/model-server.ts'
import { slackEvent } from '#tests/slack-app-server.ts'

const WAIT = { timeout: 60_000 }
let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(() => on.reset())

describe('a question of a run', () => {
  const buttons = (at = 0) =>
    on.slack.posts[at]?.blocks
      .find(({ type }) => type === 'actions')
      ?.elements.map((one: { text: { text: string } }) => one.text.text)
  const approvalNeeded = async () => {
    await on.chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('It is 42.')]
        : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
    )
  }

  const asksForCity = () =>
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('Thank you.')]
        : [
            calls('ask_person', {
              prompt: 'Which city?',
              fields: [{ name: 'city', label: 'City', type: 'text' }],
            }),
          ],
    )

  it('is approved by a button, once, by the person it is for [CH-03]', async () => {
    await on.place(['C1'])
    await on.member('UMEDDLER')
    on.slack.channels.get('C1')?.members.push('UMEDDLER')
    await approvalNeeded()
    await on.mention({ text: '<@UBOT> What is 21 times 2?' })
    const [question = ''] = await on.posted(1)
    expect(question).toContain('"a": 21')
    expect(question).toContain(`For ${on.chat.user.username}.`)
    expect(buttons()).toEqual(['Approve', 'Decline'])
    await on.press('UMEDDLER')
    await expect
      .poll(() => on.slack.ephemerals, WAIT)
      .toMatchObject([{ channel: 'C1', user: 'UMEDDLER', text: 'This question is for someone else.' }])
    expect(on.slack.posts).toHaveLength(1)
    const asked = on.slack.posts[0]!
    const before = structuredClone(asked)
    await on.press('UASKER')
    expect((await on.posted(2))[1]).toBe('It is 42.')
    await expect.poll(() => buttons(), WAIT).toBeUndefined()
    expect(asked.text).toContain('Approved.')
    expect(asked.fetchesMedia).toBe(false)
    // A press that was already on its way.
    on.slack.posts[0] = { ...before, ts: before.ts }
    await on.press('UASKER', 1)
    await expect.poll(() => on.slack.ephemerals.map(({ text }) => text), WAIT).toContain('Answered.')
    await on.atRest()
    expect(on.slack.posts).toHaveLength(2)
  }, 90_000)

  it('has no button to approve a call that is too long to be shown, and a press of one approves nothing [CH-03]', async () => {
    await on.place(['C1'])
    await on.chat.call('PUT', '/tools/text_compressor/policy', { policy: 'ask' })
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('Shortened.')]
        : [calls('text_compressor', { intent: 'Short', text: `${'x'.repeat(2_500)} hidden` })],
    )
    await on.mention({ text: '<@UBOT> Shorten it.' })
    const [question = ''] = await on.posted(1)
    expect(question).not.toContain('hidden')
    expect(question).toContain('The call is too long to show all of it here. Approve it in Atrium: http')
    expect(buttons()).toEqual(['Decline'])
    const [button] = on.slack.posts[0]!.blocks.find(({ type }) => type === 'actions').elements
    button.value = button.value.replace(/1$/, '0')
    await on.press('UASKER')
    await expect
      .poll(() => on.slack.ephemerals.map(({ text }) => text), WAIT)
      .toEqual([expect.stringContaining('Approve it in Atrium')])
    button.value = button.value.replace(/0$/, '1')
    await on.press('UASKER')
    await on.posted(2)
    await expect.poll(() => on.slack.posts[0]?.text, WAIT).toContain('Declined.')
    await on.atRest()
  }, 90_000)

  it('that is answered in the product meanwhile loses its buttons [CH-03]', async () => {
    await on.place(['C1'])
    await approvalNeeded()
    await on.mention({ text: '<@UBOT> What is 21 times 2?' })
    await on.posted(1)
    const { body } = await on.chat.call('GET', '/input-requests')
    const [{ request }] = body.items
    const given = await on.chat.call(
      'POST',
      `/tool-executions/${request.tool.tool_execution_id}/provide-input`,
      {
        ...{ input: { approved: false }, input_type: 'json' },
      },
    )
    expect(given.status).toBe(200)
    await on.press('UASKER')
    await on.posted(2)
    await expect.poll(() => on.slack.posts[0]?.text, WAIT).toContain('Declined.')
    expect(buttons()).toBeUndefined()
    expect(on.slack.ephemerals).toMatchObject([{ user: 'UASKER', text: 'Answered.' }])
  }, 90_000)

  it('with an open answer takes the next message of the person as the answer, and of no one else [CH-03]', async () => {
    await on.place(['C1'])
    await on.member('UTALKER')
    on.slack.channels.get('C1')?.members.push('UTALKER')
    asksForCity()
    const { event } = await on.mention({ text: '<@UBOT> Book a room.' })
    expect((await on.posted(1))[0]).toContain('Answer in this thread.')
    const reply = (user: string, text: string, ts: string) =>
      on.send(slackEvent({ channel: 'C1', type: 'message', user, text, ts, thread_ts: event.ts }))
    await reply('UTALKER', 'Paris', '1900000000.1')
    await reply('UASKER', 'Lyon', '1900000000.2')
    expect((await on.posted(2))[1]).toBe('Thank you.')
    // The other message is the next one of the chat.
    await on.posted(3)
    const [answered, next] = on.chat.model.requests.slice(-2).map(told)
    expect([answered?.includes('Lyon'), answered?.includes('Paris'), next?.includes('Paris')]).toEqual([
      true,
      false,
      true,
    ])
    await expect.poll(() => on.slack.posts[0]?.text, WAIT).toContain('Answered.')
  }, 90_000)

  it('of a visitor names no one and leads to no page of the product [CH-03]', async () => {
    const assistant = await on.place(['C1'])
    const wish = { name: 'Site', origins: ['https://a.example'], days: 30, messages_a_day: 9 }
    expect((await on.chat.call('POST', `/assistants/${assistant}/embeds`, wish)).status).toBe(201)
    on.slack.people.push({ id: 'UVISITS', email: 'visits@other.example' })
    on.slack.channels.get('C1')?.members.push('UVISITS')
    asksForCity()
    const { event } = await on.mention({ user: 'UVISITS', text: '<@UBOT> Book a room.' })
    const [question = ''] = await on.posted(1)
    expect(question).toContain('For the person who began this thread. Answer in this thread.')
    expect(question).not.toContain(on.chat.user.username)
    const reply = { channel: 'C1', type: 'message', user: 'UVISITS', thread_ts: event.ts }
    await on.send(slackEvent({ ...reply, text: 'Lyon' }))
    expect((await on.posted(2))[1]).toBe('Thank you.')
    await on.atRest()
  }, 90_000)
})
