import { screen, waitFor, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aCompletion, anInit, aView, onWire, WrittenStream } from '#tests/web/event-builder.ts'
import { aBranch, aChat, aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'
import {
  alternatives,
  aModel,
  first,
  more,
  options,
  page,
  question,
  second,
  third,
} from '#tests/web/three-answers.ts'
import { clearToken, setToken } from '../../../platform/lib/me/token.ts'
import { messageStore, resetMessages } from '../chat/message-store.ts'
import { BRANCH_CACHE_MS } from './branch-cache.ts'
import { editAndRegenerate } from './edit.ts'
import { regenerateMessage } from './regenerate.ts'
import { goToBranch, SWITCHED_MS, stepBranch } from './switch-branch.ts'

let stream: WrittenStream

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
})
afterEach(leaveChat)

const state = () => messageStore.getState()
const shown = () => state().order.map((id) => state().messagesById[id]?.content)
const statuses = () => state().order.map((id) => state().messagesById[id]?.status)
const t = ((key: string) => key) as never

function aServer(more: Answers = {}, onScreen = second): Answers {
  const listed = Object.fromEntries(
    alternatives.map(({ id }) => [`GET ${chatPath}/messages/${id}/branches`, () => options]),
  )
  const reached = Object.fromEntries(
    alternatives.map((message) => [`POST ${chatPath}/navigate/${message.id}`, () => page(message)]),
  )
  return chatAnswers(
    [],
    {},
    {
      [`GET ${chatPath}/active-branch`]: () => page(onScreen),
      'GET /available-models': () => [aModel('openai/gpt-4o'), aModel('openai/o3')],
      [`POST ${chatPath}/messages/${second.id}/regenerate`]: () => stream.response,
      [`POST ${chatPath}/messages/${question.id}/edit-and-regenerate`]: () => stream.response,
      ...listed,
      ...reached,
      ...more,
    },
  )
}

async function open(answers = aServer(), text = 'Dalkorne', path = '/chat/session-1') {
  const opened = await openChatView(answers, { path })
  await screen.findByText(text)
  return opened
}

const versions = () => screen.findByRole('group', { name: /Version/ })
const step = async (name: 'Next branch' | 'Previous branch') =>
  within(await versions()).getByRole('button', { name })
const replyOf = (content: string) => screen.getByText(content).closest<HTMLElement>('article')!

describe('alternatives', { timeout: 20_000 }, () => {
  it('reads the alternatives and posts an empty body to switch [BR-02, BR-06]', async () => {
    const { user, called } = await open()
    expect((await versions()).textContent).toBe('2 / 3')
    await user.click(await step('Next branch'))
    expect(await screen.findByText('Thermalis')).toBeTruthy()
    expect(called(`GET ${chatPath}/messages/${second.id}/branches`)).toHaveLength(1)
    expect(called(`POST ${chatPath}/navigate/${third.id}`)[0]?.body).toEqual({})
    expect(screen.queryByText('Dalkorne')).toBeNull()
    expect(state().branchOptions[third.id]).toEqual(options)
    expect(state().branchIndex[third.id]).toBe(2)
  })

  it('wraps around with next and previous, and does nothing with one option [BR-03]', async () => {
    const { user } = await open()
    await user.click(await step('Next branch'))
    expect(await screen.findByText('Thermalis')).toBeTruthy()
    expect(await stepBranch(third.id, 1, t)).toBe(first.id)
    expect(shown()).toEqual(['Which one?', 'Kessler', 'Why?', 'Because.'])
    expect(await stepBranch(first.id, -1, t)).toBe(third.id)
    expect(await stepBranch(third.id, -1, t)).toBe(second.id)
    expect(shown()).toEqual(['Which one?', 'Dalkorne'])
    expect(await stepBranch(question.id, 1, t)).toBeNull()
  })

  it('keeps the focus on the button, wherever the branch is rendered [BR-03]', async () => {
    const { user } = await open()
    ;(await step('Next branch')).focus()
    await user.keyboard('{Enter}')
    await screen.findByText('Thermalis')
    expect(document.activeElement).toBe(await step('Next branch'))
  })

  it('keeps the switching flag for about 300 ms after completion [BR-04]', async () => {
    const { user } = await open()
    const at: Record<string, number> = {}
    const stop = messageStore.subscribe(({ order, isBranchSwitching }) => {
      if (order.includes(third.id)) at.shown ??= performance.now()
      if (at.shown && !isBranchSwitching) at.over ??= performance.now()
    })
    await user.click(await step('Next branch'))
    await waitFor(() => expect(at.over).toBeGreaterThan(0))
    stop()
    expect((at.over ?? 0) - (at.shown ?? 0)).toBeGreaterThan(SWITCHED_MS - 20)
    expect(SWITCHED_MS).toBe(300)
  })

  it('shows a branch from the last 5 minutes without a call [BR-05]', async () => {
    const { user, called } = await open()
    const navigated = () => alternatives.flatMap(({ id }) => called(`POST ${chatPath}/navigate/${id}`)).length
    await user.click(await step('Next branch'))
    await screen.findByText('Thermalis')
    expect(navigated()).toBe(1)
    await user.click(await step('Previous branch'))
    expect(await screen.findByText('Dalkorne')).toBeTruthy()
    await user.click(await step('Next branch'))
    expect(await screen.findByText('Thermalis')).toBeTruthy()
    expect(navigated()).toBe(1)
    const kept = state().branchCache[second.id]!
    expect(BRANCH_CACHE_MS).toBe(300_000)
    const old = { ...kept, readAt: Date.now() - BRANCH_CACHE_MS }
    messageStore.setState({ branchCache: { [second.id]: old } })
    await user.click(await step('Previous branch'))
    // Too old to be shown as current.
    await waitFor(() => expect(called(`POST ${chatPath}/navigate/${second.id}`)).toHaveLength(1))
  })

  it('reports a failure and keeps the current branch [BR-06]', async () => {
    const { user } = await open(
      aServer({ [`POST ${chatPath}/navigate/${third.id}`]: () => [500, { detail: '' }] }),
    )
    await user.click(await step('Next branch'))
    expect(await screen.findByText('Failed to navigate to branch')).toBeTruthy()
    expect(screen.getByText('Dalkorne')).toBeTruthy()
  })

  it('requires a session and a message [BR-11]', async () => {
    const { sent } = await open()
    const before = sent.length
    expect(await goToBranch(null, t)).toBe(false)
    resetMessages(null)
    expect(await goToBranch(first.id, t)).toBe(false)
    regenerateMessage(second.id, t)
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(0)
    expect(sent.length).toBeGreaterThanOrEqual(before)
  })

  it("opens a message named by the address on its branch, and restores the chat's address [BR-06]", async () => {
    const answers = aServer({ [`POST ${chatPath}/navigate/${more.id}`]: () => page(first) })
    const { called, hrefNow } = await open(answers, 'Because.', `/chat/session-1?message=${more.id}`)
    expect(called(`POST ${chatPath}/navigate/${more.id}`)).toHaveLength(1)
    await waitFor(() => expect(document.activeElement).toBe(replyOf('Why?')))
    expect(hrefNow()).toBe('/chat/session-1')
  })

  it('opens a distant message with the page around it, before a gap [BR-06]', async () => {
    const path = Array.from({ length: 9 }, (_, at) => aMessage({ content: `Part ${at}` }))
    path.forEach((message, at) => {
      message.parent_id = path[at - 1]?.id ?? null
    })
    const part = (start: number, end: number) =>
      aBranch(path.slice(start, end), { total: 9, start, has_more: start > 0 })
    const far = path[2]!
    const { sent } = await open({
      ...aServer(),
      [`POST ${chatPath}/navigate/${far.id}`]: () => part(6, 9),
      [`GET ${chatPath}/active-branch`]: ({ query }: { query: URLSearchParams }) =>
        query.get('around') === far.id && query.get('before') === path[6]?.id ? part(1, 4) : page(second),
    })
    expect(await goToBranch(far.id, t)).toBe(true)
    expect(shown()).toEqual([1, 2, 3, 6, 7, 8].map((at) => `Part ${at}`))
    expect(state()).toMatchObject({ target: { id: far.id }, gap: { after: path[3]?.id, count: 2 } })
    expect(sent.filter(({ path }) => path === `${chatPath}/navigate/${far.id}`)).toHaveLength(1)
  })

  it('says how many later messages are on another branch, switches to it, and opens the map [BR-15]', async () => {
    const { user } = await open()
    const note = await screen.findByRole('note')
    expect(note.textContent).toContain('2 later messages are on another branch.')
    expect(within(note).getByRole('button', { name: 'Branch map' }).getAttribute('aria-expanded')).toBe(
      'false',
    )
    await user.click(within(note).getByRole('button', { name: 'Branch map' }))
    expect(within(note).getByRole('button', { name: 'Branch map' }).getAttribute('aria-expanded')).toBe(
      'true',
    )
    await user.click(within(note).getByRole('button', { name: 'Go there' }))
    expect(await screen.findByText('Because.')).toBeTruthy()
    expect(screen.queryByRole('note')).toBeNull()
    expect(screen.getByRole('button', { name: 'Branch 1 of 3' })).toBeTruthy()
  })
})

describe('regenerating', { timeout: 20_000 }, () => {
  const regenerate = async (user: ReturnType<typeof userEvent.setup>) =>
    user.click(within(replyOf('Dalkorne')).getByRole('button', { name: 'Regenerate' }))

  it('empties and streams the reply, fades later messages and removes them with the first event [MS-02, BR-07, G-17]', async () => {
    const path = `POST ${chatPath}/messages/${first.id}/regenerate`
    await open(aServer({ [path]: () => stream.response }, first), 'Because.')
    regenerateMessage(first.id, i18next.t)
    expect(statuses()).toEqual(['completed', 'streaming', 'regenerating-below', 'regenerating-below'])
    expect(shown()).toEqual(['Which one?', '', 'Why?', 'Because.'])
    expect(state().regeneratingId).toBe(first.id)
    stream.write(
      anInit(aView({ user_message_id: question.id })),
      onWire({ event: 'response_chunk', content: 'Servia' }, '1'),
    )
    expect(await screen.findByText('Servia')).toBeTruthy()
    expect(state().order).toEqual([question.id, 'reply-1'])
    expect(screen.queryByText('Because.')).toBeNull()
    stream.write(onWire(aCompletion(), '2')).close()
    await waitFor(() => expect(statuses()).toEqual(['completed', 'completed']))
    expect(state().regeneratingId).toBeNull()
  })

  it('restores the old content after a failure and says so [BR-08, ER-07]', async () => {
    const path = `POST ${chatPath}/messages/${first.id}/regenerate`
    await open(aServer({ [path]: () => [500, { detail: 'no' }] }, first), 'Because.')
    regenerateMessage(first.id, i18next.t)
    expect(await screen.findByText('Failed to regenerate message')).toBeTruthy()
    expect(shown()).toEqual(['Which one?', 'Kessler', 'Why?', 'Because.'])
    expect(new Set(statuses())).toEqual(new Set(['completed']))
    expect(state().isStreaming).toBe(false)
  })

  it('is refused with a warning while the session is streaming, here or on the server [BR-09]', async () => {
    const busy = { code: 'session_busy', detail: 'The current session is already processing a request.' }
    const { user, called } = await open(
      aServer({ [`POST ${chatPath}/messages/${second.id}/regenerate`]: () => [409, busy] }),
    )
    await regenerate(user)
    expect(await screen.findByText('The current session is already processing a request.')).toBeTruthy()
    expect(shown()).toEqual(['Which one?', 'Dalkorne'])
    messageStore.setState({ isStreaming: true })
    regenerateMessage(second.id, t)
    expect(called(`POST ${chatPath}/messages/${second.id}/regenerate`)).toHaveLength(1)
    expect(editAndRegenerate(question.id, 'x', t)).toBe(false)
    messageStore.setState({ isStreaming: false })
  })

  it('uses another model and names it [BR-10]', async () => {
    const { user, called } = await open()
    await user.click(screen.getByRole('button', { name: 'Regenerate with another model' }))
    await user.click(await screen.findByRole('option', { name: /o3/ }))
    await waitFor(() => expect(called(`POST ${chatPath}/messages/${second.id}/regenerate`)).toHaveLength(1))
    expect(called(`POST ${chatPath}/messages/${second.id}/regenerate`)[0]?.body).toEqual({
      model_name: 'openai/o3',
    })
  })

  it('explains a refused payment [BR-08, ER-06]', async () => {
    const refused = () => [402, { code: 'insufficient_balance', detail: 'x' }]
    const { user } = await open(aServer({ [`POST ${chatPath}/messages/${second.id}/regenerate`]: refused }))
    await regenerate(user)
    expect(await screen.findByText('Insufficient balance. Please top up to continue.')).toBeTruthy()
    expect(screen.queryByText('Failed to regenerate message')).toBeNull()
  })
})

describe('editing', { timeout: 20_000 }, () => {
  const startEditing = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit message' }))
    return screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit your message' })
  }

  it('marks and answers the edited question; later messages fade and are removed [BR-12, G-17]', async () => {
    const { user, called } = await open()
    const field = await startEditing(user)
    expect(field.value).toBe('Which one?')
    await user.clear(field)
    await user.type(field, 'Which two?{Enter}')
    expect(shown()).toEqual(['Which two?', '', 'Dalkorne'])
    expect(statuses()).toEqual(['animating_in', 'streaming', 'regenerating-below'])
    expect(state().messagesById[state().order[0]!]?.is_modified).toBe(true)
    const [{ body } = { body: null }] = called(`POST ${chatPath}/messages/${question.id}/edit-and-regenerate`)
    expect(body).toEqual({ content: 'Which two?', client_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    stream.write(
      anInit(aView({ user_message_id: 'question-2' })),
      onWire({ event: 'response_chunk', content: 'Both' }, '1'),
    )
    expect(await screen.findByText('Both')).toBeTruthy()
    expect(state().order).toEqual(['question-2', 'reply-1'])
  })

  it('restores the message on Escape; a draft survives a switch to another view [BR-12]', async () => {
    const { user } = await open()
    const field = await startEditing(user)
    await user.type(field, ' Please')
    messageStore.setState({ editingId: null })
    expect((await startEditing(user)).value).toBe('Which one? Please')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit your message' })).toBeNull())
    expect((await startEditing(user)).value).toBe('Which one?')
  })

  it('requires token, session, message and content [BR-13]', async () => {
    await open()
    const failed = 'Cannot edit message: Missing required information'
    const { default: texts } = await import('../../../../../locales/en/streaming_blocks.json')
    expect(texts.branch.edit_incomplete).toBe(failed)
    const tried: string[] = []
    const say = ((key: string) => tried.push(key) && failed) as never
    expect(editAndRegenerate(null, 'x', say)).toBe(false)
    expect(editAndRegenerate(question.id, '  ', say)).toBe(false)
    clearToken()
    expect(editAndRegenerate(question.id, 'x', say)).toBe(false)
    setToken('again')
    resetMessages(null)
    expect(editAndRegenerate(question.id, 'x', say)).toBe(false)
    expect(tried).toEqual(Array(4).fill('streaming_blocks:branch.edit_incomplete'))
    expect(await screen.findByText(failed)).toBeTruthy()
  })

  it('explains a refused payment of an edit [ER-06]', async () => {
    const refused = () => [402, { code: 'insufficient_balance', detail: 'x' }]
    const path = `POST ${chatPath}/messages/${question.id}/edit-and-regenerate`
    const { user } = await open(aServer({ [path]: refused }))
    await user.type(await startEditing(user), ' Really{Enter}')
    expect(await screen.findByText('Insufficient balance. Please top up to continue.')).toBeTruthy()
    expect(screen.queryByText('Failed to edit and regenerate message')).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  })

  it('refetches the active branch after a failed edit, says so, and keeps the draft [BR-14, ER-07]', async () => {
    const path = `POST ${chatPath}/messages/${question.id}/edit-and-regenerate`
    const { user, called } = await open(aServer({ [path]: () => [500, { detail: 'no' }] }))
    const before = called(`GET ${chatPath}/active-branch`).length
    const field = await startEditing(user)
    await user.type(field, ' Really{Enter}')
    expect(await screen.findByText('Failed to edit and regenerate message')).toBeTruthy()
    await waitFor(() => expect(called(`GET ${chatPath}/active-branch`).length).toBe(before + 1))
    await waitFor(() => expect(state().order).toEqual([question.id, second.id]))
    expect(new Set(statuses())).toEqual(new Set(['completed']))
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Edit/ })).value).toBe(
      'Which one? Really',
    )
  })
})

describe('switching while a reply is written', { timeout: 20_000 }, () => {
  it('shows another branch and says so; switching back follows the reply [BR-06, SE-19]', async () => {
    const { user } = await open(
      aServer({
        [`GET ${chatPath}`]: () => aChat({ status: 'GENERATING' }),
        [`POST ${chatPath}/navigate/reply-1`]: () =>
          aBranch([question, { ...second, id: 'reply-1', status: 'streaming', content: '' }]),
        [`GET ${chatPath}/task-stream`]: () => stream.response,
      }),
    )
    await waitFor(() => expect(state().isStreaming).toBe(true))
    stream.write(
      anInit(aView({ user_message_id: question.id }), null, {
        ...question,
        chat_session_id: wireId,
      } as never),
    )
    // The run answers a question that has another answer here, so it writes on its own branch.
    expect(await screen.findByText('A reply is being written on another branch.')).toBeTruthy()
    expect(shown()).toEqual(['Which one?', 'Dalkorne'])
    expect(state().isStreaming).toBe(false)
    stream = new WrittenStream()
    await user.click(screen.getAllByRole('button', { name: 'Go there' }).at(-1)!)
    await waitFor(() => expect(state().streamingId).toBe('reply-1'))
    stream.write(
      anInit(aView({ content: 'Servia', blocks: [{ type: 'text', id: 'text-0', text: 'Servia' }] })),
    )
    expect(await screen.findByText('Servia')).toBeTruthy()
  })
})
