import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { TeamNote, TeamSection } from './assistants.ts'

afterEach(leavePage)

const anAssistant = (name: string, patch: Partial<ListedAssistant> = {}): ListedAssistant => ({
  ...{
    id: name.toLowerCase(),
    name,
    description: '',
    icon: null,
    agent_type: 'multi_turn',
    model_name: null,
  },
  ...{
    temperature: null,
    status: 'published',
    shared: false,
    ...{ can_share: true, shared_by: null },
    own: true,
    built_in: false,
    can_edit: true,
    document_count: 0,
    tool_count: null,
  },
  ...{ created_at: null, updated_at: null, ...patch },
})
const all = [
  anAssistant('Buyer'),
  anAssistant('Unfinished', { status: 'draft' }),
  anAssistant('Divider', { agent_type: 'orchestrator' }),
  anAssistant('Analyst', { own: false, built_in: true }),
  anAssistant('Policy', { own: false, shared: true }),
]

async function show(chosen: string[], answers: Answers = {}) {
  const metadata = { agent_type: 'orchestrator', session_assistants: chosen }
  const put: Answers[string] = ({ body }) => ({
    session_assistants: (body as { assistant_ids: string[] }).assistant_ids,
  })
  const page = await renderPage(
    <>
      <p>
        <TeamNote sessionId="session-1" />
      </p>
      <TeamSection sessionId="session-1" />
      <ToastHost />
    </>,
    {
      answers: {
        'GET /sessions/session-1': () => ({ id: 'session-1', session_metadata: metadata }),
        'GET /assistants': () => all,
        'PUT /sessions/session-1/assistants': put,
        ...answers,
      },
    },
  )
  const puts = () => page.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { puts, user: userEvent.setup(), boxes: await screen.findAllByRole('checkbox') }
}

it('the assistants of an orchestrator are chosen from published ones that do not delegate themselves', async () => {
  const { boxes, user, puts } = await show([])
  expect(boxes.map((box) => box.closest('label')?.textContent)).toEqual(['Buyer', 'Analyst', 'Policy'])
  expect(screen.getByText('Built in and yours')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Policy' }))
  await user.click(screen.getByRole('checkbox', { name: 'Buyer' }))
  expect(await screen.findByText('2 chosen')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Policy' }))
  await waitFor(() =>
    expect(puts()).toEqual([
      { assistant_ids: ['policy'] },
      { assistant_ids: ['policy', 'buyer'] },
      { assistant_ids: ['buyer'] },
    ]),
  )
})

it('a refused choice is reverted', async () => {
  const refuse = () => [422, { detail: 'No.', code: 'invalid' }]
  const { user } = await show(['buyer'], { 'PUT /sessions/session-1/assistants': refuse })
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Policy' })
  await user.click(box)
  expect(await screen.findByText('No.')).toBeTruthy()
  expect(box.checked).toBe(false)
})

it('the number of chosen assistants is limited', async () => {
  const { boxes } = await show(['buyer', ...Array.from({ length: 11 }, (_, at) => `other-${at}`)])
  await waitFor(() =>
    expect(boxes.map((box) => (box as HTMLInputElement).disabled)).toEqual([false, true, true]),
  )
  expect(screen.getByText('A team has 12 assistants at most.')).toBeTruthy()
})
