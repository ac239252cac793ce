import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { refetchChanged } from '../../platform/lib/api/query-client.ts'
import { forgetKept } from '../../platform/lib/kept/kept.ts'
import { keepDraft } from '../composer/composer.tsx'
import { messageStore } from '../messages/messages.tsx'
import { waitingIn } from '../messages/outbox/outbox.ts'

type Item = {
  id: string
  content: string
  way: string
  client_id: string
  is_claimed: boolean
  failure: string | null
}

let stream: WrittenStream
let items: Item[]
let heldBy: string | null
/** Code with which the server refuses messages for its queue. */
let refusal: string | null

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
  items = []
  heldBy = null
  refusal = null
})
afterEach(() => {
  keepDraft('session-1', '')
  forgetKept()
  leaveChat()
})

const idOf = (number: number) => `${wireId.slice(0, -1)}${number}`
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const queue = () => screen.queryByRole('region', { name: 'Queued messages' })
const rows = () => within(queue()!).getAllByRole('listitem')

/** A chat whose server has a queue. */
async function open() {
  const add = ({ body }: { body: unknown }) => {
    if (refusal) return [409, { detail: 'Refused.', code: refusal }]
    const { content, way, client_id } = body as Item
    const item = { id: idOf(items.length + 1), content, way, client_id, is_claimed: false, failure: null }
    items.push(item)
    return [201, { ...item, mentions: [], created_at: '' }]
  }
  const change = ({ path, body }: { path: string; body: unknown }) => {
    const item = items.find(({ id }) => path.endsWith(id))
    if (!item) return [404, { detail: 'Gone', code: 'not_found' }]
    const { after_id, ...more } = body as Partial<Item> & { after_id?: string | null }
    Object.assign(item, more)
    if (after_id !== undefined) {
      const others = items.filter((one) => one !== item)
      items = others.toSpliced(others.findIndex(({ id }) => id === after_id) + 1, 0, item)
    }
    return item
  }
  const each = [1, 2, 3].flatMap((number) => [
    [`PUT ${chatPath}/queue/${idOf(number)}`, change] as const,
    [
      `DELETE ${chatPath}/queue/${idOf(number)}`,
      () => {
        if (items[0]?.content === 'Read') return [409, { detail: 'Read.', code: 'conflict' }]
        items = items.filter(({ id }) => id !== idOf(number))
        return { message: '' }
      },
    ] as const,
  ])
  const answers = chatAnswers(
    [],
    {},
    {
      [`POST ${chatPath}/messages`]: () => stream.response,
      [`GET ${chatPath}/queue`]: () => ({ items, held_by: heldBy }),
      [`POST ${chatPath}/queue`]: add,
      ...Object.fromEntries(each),
    },
  )
  const page = await openChatView(answers)
  const say = (text: string) => page.user.type(field(), `${text}{Enter}`)
  await say('One')
  const view = aView({ message_id: 'reply-1', user_message_id: 'question-1' })
  stream.write(anInit(view), onWire({ event: 'response_chunk', content: 'Yes' }, '11'))
  await screen.findByText('Yes')
  return { ...page, say }
}

describe('message sent while a reply is written', () => {
  it('goes to the queue of the server, and is listed with what can be done', async () => {
    const { say, called } = await open()
    await say('Two')
    await waitFor(() => expect(queue()?.textContent).toContain('Two'))
    expect(called(`POST ${chatPath}/queue`).map(({ body }) => body)).toMatchObject([
      { content: 'Two', way: 'queue' },
    ])
    expect(waitingIn('session-1')).toEqual([])
    expect(field().value).toBe('')
  })

  it('does not overtake a waiting message once the reply has ended', async () => {
    const { say, called } = await open()
    await say('Two')
    await waitFor(() => expect(queue()?.textContent).toContain('Two'))
    stream.write(onWire({ ...aCompletion(), message_id: 'reply-1' }, '12')).close()
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
    await say('Three')
    await waitFor(() => expect(called(`POST ${chatPath}/queue`)).toHaveLength(2))
    expect(called(`POST ${chatPath}/messages`)).toHaveLength(1)
  })

  it('does not overtake a message that has left the queue before the chat shows it', async () => {
    const { say, called } = await open()
    await say('Two')
    await waitFor(() => expect(queue()?.textContent).toContain('Two'))
    stream.write(onWire({ ...aCompletion(), message_id: 'reply-1' }, '12')).close()
    await waitFor(() => expect(messageStore.getState().isStreaming).toBe(false))
    items = []
    act(() => refetchChanged(['queue', 'session-1']))
    await waitFor(() => expect(queue()).toBeNull())
    await say('Three')
    await waitFor(() => expect(called(`POST ${chatPath}/queue`)).toHaveLength(2))
    expect(called(`POST ${chatPath}/messages`)).toHaveLength(1)
  })

  it('steers or interrupts the reply when that is chosen by keyboard', async () => {
    const { user, called } = await open()
    await user.type(field(), 'Briefly')
    const queueing = await screen.findByRole<HTMLInputElement>('radio', { name: 'Queue' })
    expect(queueing.checked).toBe(true)
    act(() => queueing.focus())
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Steer' }).checked).toBe(true)
    await user.type(field(), '{Enter}')
    await waitFor(() =>
      expect(called(`POST ${chatPath}/queue`).map(({ body }) => body)).toMatchObject([
        { content: 'Briefly', way: 'steer' },
      ]),
    )
    await screen.findByText('Read at the next step')
    await user.type(field(), 'Now')
    await user.click(await screen.findByRole('radio', { name: 'Interrupt' }))
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() =>
      expect(called(`POST ${chatPath}/queue`).at(-1)?.body).toMatchObject({
        content: 'Now',
        way: 'interrupt',
      }),
    )
  })

  it('is edited, moved and withdrawn in its row', async () => {
    const { say, user } = await open()
    await say('Two')
    await waitFor(() => expect(rows()).toHaveLength(1))
    await say('Three')
    await waitFor(() => expect(rows()).toHaveLength(2))
    act(() => within(rows()[1]!).getByRole('button', { name: 'Edit' }).focus())
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(() => expect(items.map(({ content }) => content)).toEqual(['Three', 'Two']))
    await waitFor(() => expect(rows()[0]?.textContent).toContain('Three'))
    await user.click(within(rows()[0]!).getByRole('button', { name: 'Edit' }))
    await user.clear(screen.getByRole('textbox', { name: 'Edit' }))
    await user.type(screen.getByRole('textbox', { name: 'Edit' }), 'Four{Enter}')
    await waitFor(() => expect(items[0]?.content).toBe('Four'))
    await user.click(within(rows()[1]!).getByRole('button', { name: 'Withdraw' }))
    await waitFor(() => expect(items.map(({ content }) => content)).toEqual(['Four']))
  })

  it('returns to the composer when it was sent while it was edited', async () => {
    const { say, user } = await open()
    await say('Two')
    await waitFor(() => expect(rows()).toHaveLength(1))
    await user.click(within(rows()[0]!).getByRole('button', { name: 'Edit' }))
    items = []
    await user.type(screen.getByRole('textbox', { name: 'Edit' }), ' more{Enter}')
    await waitFor(() => expect(field().value).toBe('Two more'))
  })

  it('returns to the composer when its row disappears while it is edited', async () => {
    const { say, user } = await open()
    await say('Two')
    await waitFor(() => expect(rows()).toHaveLength(1))
    await user.click(within(rows()[0]!).getByRole('button', { name: 'Edit' }))
    await user.type(screen.getByRole('textbox', { name: 'Edit' }), ' more')
    items = []
    act(() => refetchChanged(['queue', 'session-1']))
    await waitFor(() => expect(field().value).toBe('Two more'))
  })

  it('has no actions for people who only read the chat', async () => {
    const item = {
      id: idOf(1),
      content: 'Two',
      way: 'queue',
      client_id: 'a',
      is_claimed: false,
      failure: null,
    }
    const project: Session['project'] = {
      ...({ id: 'project-1', name: 'Renewals', colour: 'blue', icon: 'folder' } as const),
      ...{ author: 'Ada', is_shared: true, may_write: false },
    }
    await openChatView(
      chatAnswers(
        [aMessage({ role: 'user', content: 'One' })],
        { project },
        { [`GET ${chatPath}/queue`]: () => ({ items: [item], held_by: null }) },
      ),
    )
    await waitFor(() => expect(queue()?.textContent).toContain('Two'))
    expect(within(queue()!).queryAllByRole('button')).toEqual([])
  })

  it('returns to the composer when the queue is full', async () => {
    const { say } = await open()
    refusal = 'conflict'
    await say('Two')
    expect(await screen.findByText('20 messages can wait in a chat. Withdraw one first.')).toBeTruthy()
    await waitFor(() => expect(field().value).toBe('Two'))
  })

  it('is not shown again when an earlier attempt was sent', async () => {
    const { say, called } = await open()
    refusal = 'already_answered'
    await say('Two')
    await waitFor(() => expect(called(`POST ${chatPath}/queue`)).toHaveLength(1))
    await waitFor(() => expect(waitingIn('session-1')).toEqual([]))
    expect(field().value).toBe('')
  })

  it('says that a reply has read it when it can no longer be changed', async () => {
    const { say, user } = await open()
    await say('Two')
    await waitFor(() => expect(rows()).toHaveLength(1))
    items[0]!.content = 'Read'
    await user.click(within(rows()[0]!).getByRole('button', { name: 'Withdraw' }))
    expect(
      await screen.findByText('The reply has read this message, so it can no longer be changed.'),
    ).toBeTruthy()
  })

  it('says why the queue waits', async () => {
    const { say } = await open()
    await say('Two')
    await waitFor(() => expect(rows()).toHaveLength(1))
    for (const [why, text] of [
      ['waiting', 'The reply waits for you.'],
      ['stopped', 'The reply was stopped.'],
      ['failed', 'The reply failed.'],
      ['refused', 'A message could not be sent.'],
    ] as const) {
      heldBy = why
      act(() => refetchChanged(['queue', 'session-1']))
      await waitFor(() => expect(queue()?.textContent).toContain(text))
    }
  })
})
