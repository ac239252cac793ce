import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { aChat } from '#tests/web/message-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { useSessionDetails, useSessionList } from '../../runs/sessions/sessions.ts'
import { AgentBadge, AgentMenu } from './agent-menu.tsx'

afterEach(leavePage)

/** The list is loaded when it is first opened. */
const patience = { timeout: 4_000 }

function Title() {
  const { data = null } = useSessionDetails('session-1')
  const listed = useSessionList().data?.pages[0]?.items[0]
  return (
    <>
      <h1>
        <AgentBadge session={data} />
      </h1>
      <AgentMenu session={data} />
      <p data-testid="listed">{listed?.session_metadata.agent_type}</p>
      <ToastHost />
    </>
  )
}

async function open(agent_type: AgentType, answers: Answers = {}) {
  const chat = aChat({ session_metadata: { agent_type } })
  const page = await renderPage(<Title />, {
    answers: {
      'GET /sessions': () => ({ items: [chat], total: 1 }),
      'GET /sessions/session-1': () => chat,
      'PUT /sessions/session-1/agent': ({ body }) => body,
      ...answers,
    },
  })
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name: /^Way of working/ })
  return { ...page, user, button }
}

describe('agent type of a chat', () => {
  it('is chosen from a list with descriptions [SE-14]', async () => {
    const { user, button, sent } = await open('multi_turn')
    expect(button.textContent).toContain('With tools')
    button.focus()
    await user.keyboard('{Enter}')
    await user.click(await screen.findByText(/works step by step/, {}, patience))
    await waitFor(() => expect(button.textContent).toContain('Step by step'))
    expect(screen.getByRole('heading').textContent).toBe('Step by step')
    const puts = sent.filter(({ method }) => method === 'PUT')
    expect(puts.map(({ body }) => body)).toEqual([{ agent_type: 'plan_and_act' }])
  })

  it('changes in the list of chats immediately, and reverts after a refusal [SE-14]', async () => {
    let refuse = () => {}
    const refused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    const answers: Answers = {
      'PUT /sessions/session-1/agent': async () => {
        await refused
        return [422, { detail: 'No.', code: 'invalid' }]
      },
    }
    const { user, button } = await open('multi_turn', answers)
    await user.click(button)
    await user.click(await screen.findByText('Teamwork', {}, patience))
    await waitFor(() => expect(screen.getByTestId('listed').textContent).toBe('orchestrator'))
    refuse()
    await waitFor(() => expect(screen.getByTestId('listed').textContent).toBe('multi_turn'))
  })

  it('stays unchanged if the server refuses [SE-14]', async () => {
    const refuse = () => [422, { detail: 'No.', code: 'invalid' }]
    const { user, button } = await open('plan_and_act', { 'PUT /sessions/session-1/agent': refuse })
    await user.click(button)
    await user.click(await screen.findByText('Teamwork', {}, patience))
    await waitFor(() => {
      const session = queryClient.getQueryData<Session>(['session', 'session-1'])
      expect(session?.session_metadata.agent_type).toBe('plan_and_act')
    })
    expect(await screen.findByText('No.')).toBeTruthy()
  })
})
