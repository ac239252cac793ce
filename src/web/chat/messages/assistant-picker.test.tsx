import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { aChat } from '#tests/web/message-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { AssistantNote, AssistantSection } from '../assistants/assistants.ts'
import { AgentMenu } from '../composer/composer.tsx'
import { AssistantPicker } from './assistant-picker.tsx'

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(leavePage)

/** The list is loaded when it is first opened. */
const patience = { timeout: 4_000 }

const anAssistant = (name: string, patch: Partial<Assistant> = {}): Assistant => ({
  ...{ id: name.toLowerCase(), name, description: `${name} at work`, icon: null, agent_type: 'multi_turn' },
  ...{
    model_name: null,
    system_prompt: '',
    example_prompts: [],
    temperature: null,
    documents: [],
    workspaces: [],
  },
  ...{
    tools: null,
    status: 'published',
    shared: false,
    ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 1 },
    own: true,
    built_in: false,
    can_edit: true,
    document_count: 0,
    tool_count: null,
  },
  ...{ created_at: null, updated_at: null, ...patch },
})
const few = [
  anAssistant('Buyer', { status: 'draft' }),
  anAssistant('Researcher', { own: false, built_in: true, agent_type: 'plan_and_act' }),
]

function Composer() {
  const { data = null } = useSessionDetails('session-1')
  return (
    <>
      <AgentMenu session={data} />
      <AssistantPicker session={data} />
      <section aria-label="beside">
        <AssistantNote sessionId="session-1" />
        <AssistantSection sessionId="session-1" />
      </section>
      <ToastHost />
    </>
  )
}

async function show(assistant_id: string | null = null, answers: Answers = {}) {
  const chat = aChat({ session_metadata: { agent_type: 'multi_turn', assistant_id } })
  const page = await renderPage(<Composer />, {
    answers: {
      'GET /sessions/session-1': () => chat,
      'GET /assistants': () => few,
      'GET /assistants/buyer': () => few[0],
      'GET /assistants/researcher': () => few[1],
      'PUT /sessions/session-1/assistant': ({ body }) => body,
      ...answers,
    },
  })
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name: /^Assistant: / })
  const open = async () => {
    await user.click(button)
    return within(await screen.findByRole('dialog', { name: 'Who writes the next replies' }, patience))
  }
  const puts = () => page.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { ...page, user, button, open, puts }
}

describe('assistant of a chat', () => {
  it('is chosen next to the agent type, which follows it; the first choice is none [SV-54]', async () => {
    const { open, user, button, puts } = await show()
    expect(button.getAttribute('aria-label')).toBe('Assistant: No assistant')
    const list = await open()
    const options = await list.findAllByRole('option', {}, patience)
    expect(options.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('No assistant'),
      expect.stringContaining('BuyerDraft'),
      expect.stringContaining('Researcher at work'),
    ])
    expect(options[0]?.getAttribute('aria-selected')).toBe('true')
    expect(list.queryByRole('combobox')).toBeNull()
    await user.click(options[2]!)
    await waitFor(() => expect(button.getAttribute('aria-label')).toBe('Assistant: Researcher'))
    expect(screen.getByRole('button', { name: 'Way of working: Step by step' })).toBeTruthy()
    expect(puts()).toEqual([{ assistant_id: 'researcher' }])
    const again = await open()
    await user.click(await again.findByRole('option', { name: /No assistant/ }))
    await waitFor(() => expect(puts()).toEqual([{ assistant_id: 'researcher' }, { assistant_id: null }]))
    expect(screen.getByRole('button', { name: 'Way of working: With tools' })).toBeTruthy()
  })

  it('can be chosen by keyboard alone', async () => {
    const { user, button, puts } = await show()
    button.focus()
    await user.keyboard('{Enter}')
    const list = await screen.findByRole('dialog', {}, patience)
    const box = await within(list).findByRole('listbox', {}, patience)
    await waitFor(() => expect(document.activeElement).toBe(box))
    await user.keyboard('{End}{ArrowUp}')
    const active = document.getElementById(box.getAttribute('aria-activedescendant') ?? '')
    expect(active?.textContent).toContain('Buyer')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(puts()).toEqual([{ assistant_id: 'buyer' }]))
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('can be searched if there are many', async () => {
    const many = [...few, ...Array.from({ length: 40 }, (_, at) => anAssistant(`Clerk ${at}`))]
    const { open, user, puts } = await show(null, { 'GET /assistants': () => many })
    const list = await open()
    const field = await list.findByRole('combobox', { name: 'Find an assistant' }, patience)
    await waitFor(() => expect(document.activeElement).toBe(field))
    await user.keyboard('clerk 17')
    expect(list.getAllByRole('option')).toHaveLength(1)
    await user.keyboard('0')
    expect(list.getByText('No assistant matches “clerk 170”.')).toBeTruthy()
    await user.keyboard('{Backspace}{Enter}')
    await waitFor(() => expect(puts()).toEqual([{ assistant_id: 'clerk 17' }]))
  })

  it('is loaded page by page; a search loads the remaining ones first', async () => {
    const all = Array.from({ length: 130 }, (_, at) => anAssistant(`Clerk ${at}`))
    const page = (after: string | null) => {
      const at = all.findIndex(({ id }) => id === after) + 1
      return all.slice(at, at + 50)
    }
    const { open, user } = await show(null, { 'GET /assistants': ({ query }) => page(query.get('after')) })
    const list = await open()
    expect(await list.findAllByRole('option', {}, patience)).toHaveLength(51)
    await user.click(list.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(list.getAllByRole('option')).toHaveLength(101))
    await user.type(list.getByRole('combobox'), 'clerk 129')
    await waitFor(() => expect(list.getAllByRole('option')).toHaveLength(1))
    expect(list.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('stays unchanged if the server refuses', async () => {
    const refuse = () => [422, { detail: 'No.', code: 'invalid' }]
    const { open, user, button } = await show('buyer', { 'PUT /sessions/session-1/assistant': refuse })
    await waitFor(() => expect(button.getAttribute('aria-label')).toBe('Assistant: Buyer'))
    const list = await open()
    await user.click(await list.findByRole('option', { name: /Researcher/ }, patience))
    expect(await screen.findByText('No.')).toBeTruthy()
    expect(button.getAttribute('aria-label')).toBe('Assistant: Buyer')
  })

  it('is shown in the context too, and refetched when assistants have changed [AS-03]', async () => {
    let all = few
    const { user, puts } = await show('buyer', { 'GET /assistants': () => all })
    const beside = within(screen.getByRole('region', { name: 'beside' }))
    expect(await beside.findByRole('option', { name: /Buyer/, selected: true })).toBeTruthy()
    all = [anAssistant('Seller'), ...few]
    window.dispatchEvent(new Event('assistants-updated'))
    await user.click(await beside.findByRole('option', { name: /Seller/ }))
    await waitFor(() => expect(puts()).toEqual([{ assistant_id: 'seller' }]))
  })

  it('says if the list cannot be loaded, and reloads it', async () => {
    let isBroken = true
    const { open, user } = await show(null, {
      'GET /assistants': () => (isBroken ? [403, { detail: 'No.', code: 'forbidden' }] : few),
    })
    const list = await open()
    await list.findByText('Failed to load assistants', {}, patience)
    isBroken = false
    await user.click(list.getByRole('button', { name: 'Try again' }))
    expect(await list.findAllByRole('option')).toHaveLength(3)
  })
})
