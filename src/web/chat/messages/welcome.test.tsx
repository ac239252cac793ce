import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatAnswers, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aUser, prepareBrowser } from '#tests/web/render-app.tsx'
import { keepDraft } from '../composer/composer.tsx'

beforeEach(() => {
  prepareChat()
  // Reduced motion is off.
  prepareBrowser()
  keepDraft('session-1', '')
})
afterEach(() => {
  vi.useRealTimers()
  leaveChat()
})

const open = () => openChatView(chatAnswers([], {}, { 'GET /users/me': () => aUser() }))
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

describe('empty chat', () => {
  it('greets and offers examples in turn [SH-28]', async () => {
    const page = await open()
    expect(await screen.findByText(/Good (morning|afternoon|evening), Claire/)).toBeTruthy()
    const examples = within(screen.getByRole('list', { name: 'Examples' })).getAllByRole('button')
    expect(examples).toHaveLength(4)
    await page.user.click(examples[1]!)
    expect(field().value).toMatch(/^Put this in a table/)
  })

  it('offers examples for a language model once one is connected', async () => {
    const model = {
      ...{ id: 'openai/gpt-4o', name: 'gpt-4o', provider: 'openai', provider_name: 'OpenAI' },
      ...{ context_tokens: null, max_output_tokens: null, input_price: null, output_price: null },
      ...{ local: false, is_default: true },
    }
    const answers = { 'GET /users/me': () => aUser(), 'GET /available-models': () => [model] }
    await openChatView(chatAnswers([], {}, answers))
    const list = within(await screen.findByRole('list', { name: 'Examples' }))
    expect(await list.findByText('Draft an e-mail')).toBeTruthy()
    expect(list.queryByText('Work out a price per square metre')).toBeNull()
  })

  it('starts with the example prompts of its assistant [XA-04]', async () => {
    const assistant_id = '22222222-2222-4222-8222-222222222222'
    const example_prompts = ['Which contracts end this year?', 'Compare two offers']
    const buyer = {
      ...{ id: assistant_id, name: 'Buyer', description: '', icon: null, agent_type: 'multi_turn' },
      ...{ model_name: null, system_prompt: '', temperature: null, documents: [], tools: null },
      ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 1 },
      ...{ status: 'published', shared: false, own: true, built_in: false, can_edit: true, example_prompts },
      ...{ document_count: 0, tool_count: null, created_at: null, updated_at: null },
    }
    const page = await openChatView(
      chatAnswers([], { session_metadata: { assistant_id } } as never, {
        'GET /users/me': () => aUser(),
        [`GET /assistants/${assistant_id}`]: () => buyer,
      }),
    )
    const starters = within(await screen.findByRole('list', { name: 'Example prompts' })).getAllByRole(
      'button',
    )
    expect(starters.map(({ textContent }) => textContent)).toEqual(example_prompts)
    await page.user.click(starters[1]!)
    expect(field().value).toBe('Compare two offers')
  })

  it('rotates the examples every 4 s until one is hovered or focused [SH-28]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], now: Date.now() })
    await open()
    await screen.findByText(/Good/)
    const list = within(screen.getByRole('list', { name: 'Examples' })).getAllByRole('button')
    const offered = () => list.findIndex((example) => example.classList.contains('bg-surface'))
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    const turns = [[offered(), field().placeholder] as const]
    for (const _ of list) {
      await pass(3999)
      expect(offered()).toBe(turns.at(-1)?.[0])
      await pass(1)
      turns.push([offered(), field().placeholder])
    }
    expect(turns.map(([at]) => at)).toEqual([0, 1, 2, 3, 0])
    expect(new Set(turns.map(([, text]) => text)).size).toBe(4)
    act(() => list[2]?.focus())
    await pass(20_000)
    expect(offered()).toBe(2)
  })
})
