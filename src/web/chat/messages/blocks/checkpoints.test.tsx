import { act, screen, waitFor, within } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
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
import { clearToken } from '../../../platform/lib/me/token.ts'
import CheckpointPanel from '../../checkpoints/checkpoint-panel.tsx'
import { messageStore, resetMessages } from '../chat/message-store.ts'
import { returnTo } from '../standstill/task-actions.ts'

let stream: WrittenStream

beforeEach(() => {
  prepareChat()
  stream = new WrittenStream()
})
afterEach(async () => {
  const { toast } = await import('react-toastify/unstyled')
  act(() => {
    toast.dismiss()
  })
  leaveChat()
})

const t = i18next.t.bind(i18next)
const state = () => messageStore.getState()

const step = (number: number): Block => ({
  ...{ type: 'step', id: `step-${number}`, number, description: `Part ${number}`, single_step: false },
  ...{ completed: true, progress: null, message: null },
})
const mark = (checkpoint_name: string): Block => ({
  ...{ type: 'checkpoint', id: `run-1:${checkpoint_name}`, checkpoint_name, created_at: '', run_id: 'run-1' },
})
const answer: Block = { type: 'text', id: 'text-9', text: 'The whole answer.' }
const paused = (reason: 'request' | 'balance'): Block => ({
  ...{ type: 'paused', id: 'paused-3', reason, checkpoint_name: 'after_step0', created_at: '' },
})

const question = aMessage({ content: 'Go' })
const reply = (blocks: Block[], status: 'completed' | 'streaming' = 'completed') =>
  aMessage({ role: 'assistant', parent_id: question.id, agent_type: 'plan_and_act', blocks, status })
const done = reply([step(1), mark('after_step0'), mark('step1'), step(2), answer])
const later = aMessage({ parent_id: done.id, content: 'And then?' })

const item = (checkpoint_name: string, more: Partial<Checkpoint> = {}): Checkpoint => ({
  ...{ id: `run-1:${checkpoint_name}`, checkpoint_name, label: null, message_id: done.id, run_id: 'run-1' },
  ...{ kind: 'step', created_at: '2026-01-01T09:57:48.000Z', is_active: true, cost: 0.04, ...more },
})

async function open(messages = [question, done], more: Answers = {}) {
  const answers = chatAnswers(
    messages,
    {},
    {
      [`GET ${chatPath}/checkpoints`]: ({ query }) =>
        query.has('named') ? [] : [item('after_step0'), item('step1'), item('after_step1')],
      [`POST ${chatPath}/navigate-to-checkpoint`]: () => stream.response,
      ...more,
    },
  )
  const beside = (
    <aside aria-label="Panel">
      <CheckpointPanel />
    </aside>
  )
  return openChatView(answers, { beside })
}

const returnButton = () =>
  within(screen.getByRole('log')).findByRole('button', { name: 'Return here: After step 1' })

describe('checkpoint in an answer', { timeout: 20_000 }, () => {
  it('forms one place with its neighbours; returning empties the reply, streams it and removes later messages [CK-03, CK-09]', async () => {
    const { user, called } = await open()
    await user.click(await returnButton())
    await waitFor(() => expect(state().isStreaming).toBe(true))
    expect(called(`POST ${chatPath}/navigate-to-checkpoint`)[0]?.body).toEqual({
      ...{ checkpoint_name: 'after_step0', message_id: done.id, checkpoint_hint: 'run-1:after_step0' },
    })
    expect(state().messagesById[done.id]).toMatchObject({ status: 'streaming', blocks: [] })
    const view = aView({ message_id: wireId, user_message_id: question.id, blocks: [step(1)] })
    stream.write(anInit(view), onWire({ event: 'response_chunk', content: 'Another answer.' }, '1'))
    expect(await screen.findByText('Another answer.')).toBeTruthy()
    stream.write(onWire({ ...aCompletion(), message_id: wireId }, '2')).close()
    await waitFor(() => expect(state().isStreaming).toBe(false))
    expect(state().order).toEqual([question.id, wireId])
  })

  it('can be returned to from the line after a step; other places are opened first', async () => {
    const { user, called } = await open([
      question,
      reply([
        mark('llm_checkpoint_1'),
        mark('step0'),
        step(1),
        mark('after_step0'),
        answer,
        mark('completed'),
      ]),
    ])
    await returnButton()
    const log = within(screen.getByRole('log'))
    expect(log.getAllByRole('button', { name: /^Return here/ })).toHaveLength(1)
    await user.click(log.getByRole('button', { name: 'Before step 1, 2 checkpoints' }))
    await user.click(await log.findByRole('button', { name: 'Return here: Point 1' }))
    await waitFor(() =>
      expect(called(`POST ${chatPath}/navigate-to-checkpoint`)[0]?.body).toMatchObject({
        checkpoint_name: 'llm_checkpoint_1',
      }),
    )
    stream.close()
  })

  it('shows its given name on the line, and is named after opening [SV-94]', async () => {
    const [first, second] = ['Before everything', 'Prices']
    const messages = [question, reply([mark('llm_checkpoint_1'), mark('step0'), step(1), answer])]
    const { user } = await open(messages, {
      [`GET ${chatPath}/checkpoints`]: ({ query }) =>
        query.get('named') === 'true' ? [item('llm_checkpoint_1', { label: first })] : [],
      [`PATCH /checkpoints/${encodeURIComponent('run-1:step0')}`]: () => item('step0', { label: second }),
    })
    const log = within(screen.getByRole('log'))
    expect(await log.findByRole('button', { name: 'Return here: Before everything' })).toBeTruthy()
    await user.click(log.getByRole('button', { name: 'Before everything, 2 checkpoints' }))
    await user.click(await log.findByRole('button', { name: 'Rename Before step 1' }))
    await user.type(await log.findByRole('textbox', { name: 'Name of the checkpoint' }), `${second}{Enter}`)
    expect(await log.findByText('Before everything, Prices')).toBeTruthy()
  })

  it('is not announced before its name is known', async () => {
    const names = Promise.withResolvers<Checkpoint[]>()
    await open([question, reply([mark('llm_checkpoint_1'), answer])], {
      [`GET ${chatPath}/checkpoints`]: ({ query }) => (query.has('named') ? names.promise : []),
    })
    const log = within(screen.getByRole('log'))
    expect((await log.findByText(t('streaming_blocks:checkpoint.model', { number: 1 }))).className).toContain(
      'opacity-0',
    )
    names.resolve([item('llm_checkpoint_1', { label: 'Prices' })])
    expect((await log.findByText('Prices')).className).not.toContain('opacity-0')
  })

  it('fades later messages, and removes them with the first event [CK-03]', async () => {
    await open([question, done, later])
    await screen.findByText('And then?')
    returnTo(done.id, { id: 'run-1:step1', checkpoint_name: 'step1' }, t)
    expect(state().messagesById[later.id]?.status).toBe('regenerating-below')
    stream.write(anInit(aView({ message_id: wireId, user_message_id: question.id })))
    await waitFor(() => expect(state().order).toEqual([question.id, wireId]))
    stream.close()
  })

  it('restores the content after a failure, refetches the branch, and says why [CK-06]', async () => {
    const refuse = () => [404, { detail: 'Checkpoint not found', code: 'not_found' }]
    const { user, called } = await open(undefined, { [`POST ${chatPath}/navigate-to-checkpoint`]: refuse })
    const before = called(`GET ${chatPath}/active-branch`).length
    await user.click(await returnButton())
    expect(await screen.findByText(/^Failed to navigate to checkpoint: /)).toBeTruthy()
    expect(await screen.findByText('The whole answer.')).toBeTruthy()
    expect(called(`GET ${chatPath}/active-branch`).length).toBeGreaterThan(before)
    expect(state().messagesById[done.id]?.status).toBe('completed')
  })

  it('requires a checkpoint, a message, a session and a token [CK-04]', async () => {
    const { called } = await open()
    await returnButton()
    const place = { id: 'run-1:step1', checkpoint_name: 'step1' }
    returnTo(null, place, t)
    const missing = 'Cannot navigate to checkpoint: Missing required information'
    expect(await screen.findByText(missing)).toBeTruthy()
    returnTo(done.id, null, t)
    clearToken()
    returnTo(done.id, place, t)
    resetMessages(null)
    returnTo(done.id, place, t)
    expect(called(`POST ${chatPath}/navigate-to-checkpoint`)).toHaveLength(0)
  })

  it('reports a missing message [CK-05]', async () => {
    const { called } = await open()
    await returnButton()
    returnTo('nowhere', { id: 'run-1:step1', checkpoint_name: 'step1' }, t)
    expect(await screen.findByText('Target message for checkpoint navigation not found')).toBeTruthy()
    expect(called(`POST ${chatPath}/navigate-to-checkpoint`)).toHaveLength(0)
  })

  it('keeps its line and details before an error [CK-10]', async () => {
    const error: Block = {
      ...{ type: 'error', id: 'error-2', error: 'The provider closed the connection.', code: null },
      ...{ traceback: '{"status": 502}', step: 'work:1', timestamp: '' },
    }
    const { user } = await open([question, reply([step(1), mark('after_step0'), error])])
    expect(await screen.findByText('The provider closed the connection.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Details' }))
    expect(screen.getByText('{"status": 502}')).toBeTruthy()
  })

  it('is where a failed run is retried from [BL-12]', async () => {
    const error: Block = {
      ...{ type: 'error', id: 'error-2', error: 'The provider closed the connection.', code: null },
      ...{ traceback: null, step: null, timestamp: '' },
    }
    const failed = reply([step(1), mark('after_step0'), mark('llm_checkpoint_3'), error])
    const { user, called } = await open([question, failed])
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() =>
      expect(called(`POST ${chatPath}/navigate-to-checkpoint`)[0]?.body).toMatchObject({
        ...{ checkpoint_name: 'llm_checkpoint_3', message_id: failed.id },
      }),
    )
    stream.close()
  })

  it('is not needed to answer again after a run that failed before it [BL-12]', async () => {
    const error: Block = {
      ...{ type: 'error', id: 'error-2', error: 'Nothing came.', code: null },
      ...{ traceback: null, step: null, timestamp: '' },
    }
    const failed = reply([error])
    const path = `${chatPath}/messages/${failed.id}/regenerate`
    const { user, called } = await open([question, failed], { [`POST ${path}`]: () => stream.response })
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(called(`POST ${path}`)).toHaveLength(1))
    stream.close()
  })
})

describe('paused reply', { timeout: 20_000 }, () => {
  const pausedReply = (reason: 'request' | 'balance') =>
    reply([step(1), mark('after_step0'), paused(reason)], 'streaming')

  it('shows its position and resumes with its checkpoint and agent type [CK-22]', async () => {
    const { user, called } = await open([question, pausedReply('request')], {
      [`POST ${chatPath}/resume`]: () => ({ status: 'resumed', message: 'The task goes on.' }),
    })
    expect(await screen.findByText(/stands still at “After step 1”/)).toBeTruthy()
    // Nothing is being written, so there is neither a stop nor a pause button.
    expect(screen.queryByRole('button', { name: /^Pause/ })).toBeNull()
    // Only one is primary: the one instead of sending, which comes before the messages in the tab order.
    const buttons = screen.getAllByRole('button', { name: 'Resume' })
    expect(buttons.map(({ className }) => className.includes('bg-accent '))).toEqual([true, false])
    await user.click(buttons[1]!)
    await waitFor(() => expect(called(`POST ${chatPath}/resume`)).toHaveLength(1))
    expect(called(`POST ${chatPath}/resume`)[0]?.body).toEqual({
      ...{ checkpoint: 'after_step0', agent_type: 'plan_and_act' },
    })
  })

  it('is resumed from the composer; a draft is preserved, and Enter sends nothing [CK-22]', async () => {
    const { user, called } = await open([question, pausedReply('request')], {
      [`POST ${chatPath}/resume`]: () => ({ status: 'resumed', message: 'The task goes on.' }),
    })
    const composer = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
    const note = await screen.findByText('The work is paused.')
    expect(note.closest('p')?.textContent).toContain('What you write here is kept.')
    expect(composer.getAttribute('aria-describedby')).toBe(note.closest('p')?.id)
    await user.type(composer, 'And the energy contracts{Enter}')
    expect(composer.value).toBe('And the energy contracts')
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    await user.click(screen.getAllByRole('button', { name: 'Resume' })[0]!)
    await waitFor(() => expect(called(`POST ${chatPath}/resume`)).toHaveLength(1))
    expect(called(`POST ${chatPath}/resume`)[0]?.body).toMatchObject({ checkpoint: 'after_step0' })
    expect(called(`POST ${chatPath}/messages`)).toHaveLength(0)
    expect(composer.value).toBe('And the energy contracts')
    await user.clear(composer)
  })

  it('links a top-up instead of sending without a balance [CK-21]', async () => {
    const { user, called } = await open([question, pausedReply('balance')])
    expect(await screen.findByText('The balance is used up.')).toBeTruthy()
    const composer = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
    await user.type(composer, 'Later{Enter}')
    expect(composer.value).toBe('Later')
    expect(screen.getAllByRole('link', { name: 'Top up' })).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    expect(called(`POST ${chatPath}/messages`)).toHaveLength(0)
    await user.clear(composer)
  })

  it('continues from one of its checkpoints as a new branch [CK-22]', async () => {
    const { user, called } = await open([question, pausedReply('request')], {
      [`POST ${chatPath}/resume`]: () => ({ status: 'resumed', message: 'The task goes on.' }),
    })
    await user.click(await returnButton())
    await waitFor(() => expect(called(`POST ${chatPath}/resume`)).toHaveLength(1))
    expect(called(`POST ${chatPath}/resume`)[0]?.body).toMatchObject({ checkpoint: 'run-1:after_step0' })
    expect(called(`POST ${chatPath}/navigate-to-checkpoint`)).toHaveLength(0)
  })

  it('says what to do without a balance, and is refetched once it resumes [CK-21]', async () => {
    const messages = [question, pausedReply('balance')]
    let chat = aChat({ status: 'active', agent_status: 'paused' })
    const { answers } = await open(messages, {
      [`GET ${chatPath}`]: () => chat,
      [`GET ${chatPath}/active-branch`]: () => aBranch(messages),
    })
    expect(await screen.findByText('Insufficient balance. Please top up to continue.')).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'Top up' })[0]?.getAttribute('href')).toBe('/user/billing')
    chat = aChat({ status: 'COMPLETED', agent_status: 'completed' })
    answers[`GET ${chatPath}/active-branch`] = () => aBranch([question, done])
    expect(await screen.findByText('The whole answer.')).toBeTruthy()
  })
})

describe('list of checkpoints', { timeout: 20_000 }, () => {
  const panel = () => within(screen.getByRole('complementary', { name: 'Panel' }))

  it('names them with their subjects, and renames them everywhere [CK-01, CK-02, SV-94]', async () => {
    const named = item('after_step0', { label: 'Clauses verified' })
    const { user, called } = await open(undefined, {
      [`PATCH /checkpoints/${encodeURIComponent(named.id)}`]: () => named,
    })
    const rows = await panel().findAllByRole('listitem')
    expect(rows).toHaveLength(3)
    expect(rows[0]?.textContent).toMatch(/^After step 1Part 1\$0\.04/)
    await user.click(within(rows[0]!).getByRole('button', { name: 'Rename After step 1' }))
    const field = await panel().findByRole('textbox', { name: 'Name of the checkpoint' })
    await user.type(field, 'Clauses verified{Enter}')
    expect(await screen.findAllByText('Clauses verified')).toHaveLength(2)
    expect(called(`PATCH /checkpoints/${encodeURIComponent(named.id)}`)[0]?.body).toEqual({
      label: 'Clauses verified',
    })
  })

  it('folds consecutive automatic ones into a line, which opens to them [CK-09]', async () => {
    const names = ['step0', 'llm_checkpoint_1', 'after_step0', 'llm_checkpoint_2', 'completed']
    const list = names.map((name) => item(name, name.endsWith('_2') ? { label: 'Prices' } : {}))
    const { user } = await open(undefined, { [`GET ${chatPath}/checkpoints`]: () => list })
    const choices = () =>
      panel()
        .getAllByRole('button', { name: /^Compare/ })
        .map((button) => button.getAttribute('aria-label'))
    await panel().findByText('5 checkpoints')
    const main = ['Compare After step 1', 'Compare Prices', 'Compare Completed']
    expect(choices()).toEqual(main)
    await user.click(panel().getByRole('button', { name: '2 automatic checkpoints' }))
    expect(choices()).toEqual(['Compare Before step 1', 'Compare Point 1', ...main])
    await user.click(panel().getByRole('button', { name: 'Compare Point 1' }))
    expect(panel().getByRole('button', { name: 'Point 1, chosen as A' })).toBeTruthy()
    expect(panel().getByRole('button', { name: '1 automatic checkpoint' })).toBeTruthy()
  })

  it('shows automatic ones if there are no others', async () => {
    await open(undefined, { [`GET ${chatPath}/checkpoints`]: () => [item('llm_checkpoint_1')] })
    expect(await panel().findByRole('button', { name: 'Compare Point 1' })).toBeTruthy()
  })

  it('compares two selected ones: numbers first, then the belief [SV-95, SH-16]', async () => {
    const side = (at: number, name: string) => ({
      checkpoint: item(name),
      numbers: {
        ...{ time_ms: 1000 * at, tokens: 100 * at, cost: at, steps: at, tool_calls: 0, messages: 2 },
        ...{ facts: 2 * at, open_questions: 4 - at },
      },
    })
    const { user, called } = await open(undefined, {
      'GET /checkpoints/compare': () => ({
        ...{ a: side(1, 'after_step0'), b: side(3, 'after_step1') },
        belief: [
          { kind: 'removed', part: 'open_questions', text: 'Target price is not known yet' },
          { kind: 'added', part: 'facts', text: 'Target price: 12.90 €' },
          { kind: 'added', part: 'facts', text: 'Market range: 11.20 to 13.80 €' },
        ],
        blocks: [{ kind: 'added', block: step(2) }],
        text: [{ kind: 'added', text: 'A new line.' }],
      }),
    })
    const choices = await panel().findAllByRole('button', { name: /^Compare/ })
    await user.click(choices[0]!)
    await user.click(choices.at(-1)!)
    const table = await panel().findByRole('table')
    expect(within(table).getByRole('row', { name: 'Steps finished 1 3 +2' })).toBeTruthy()
    expect(within(table).getByRole('row', { name: 'Cost $1.00 $3.00 +$2.00' })).toBeTruthy()
    expect(within(table).getByRole('row', { name: 'Facts kept 2 6 +4' })).toBeTruthy()
    expect(within(table).getByRole('row', { name: 'Open questions 3 1 -2' })).toBeTruthy()
    const belief = panel()
      .getByRole('heading', { name: /^Working memory\s?2 added, 1 removed$/ })
      .closest('section')!
    expect(belief.textContent).toContain('−Removed: Target price is not known yet')
    expect(belief.textContent).toContain('+Added: Target price: 12.90 €')
    expect(panel().getByText('A new line.')).toBeTruthy()
    const { query } = called('GET /checkpoints/compare')[0]!
    expect([query.get('a'), query.get('b')]).toEqual(['run-1:after_step0', 'run-1:after_step1'])
    expect(panel().getByText(/not billed again/)).toBeTruthy()
    await user.click(panel().getByRole('button', { name: 'Swap A and B' }))
    await waitFor(() => expect(called('GET /checkpoints/compare')).toHaveLength(2))
  })
})
