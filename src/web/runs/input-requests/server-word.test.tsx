import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { anApproval } from '#tests/web/request-builder.ts'
import { RequestDock } from './request-dock.tsx'

afterEach(leavePage)

const made = (patch: Partial<Tool>) => ({
  ...{ id: 't1_find', kind: 'mcp', name: 't1_find', ui_name: 'Find', policy: 'ask', version: 3 },
  ...{ said: { claim: 'reads', news: null }, shared_by: null, may_allow: true, ...patch },
})

/** Renders a waiting server tool with its current description. */
async function asked(patch: Partial<Tool> = {}) {
  const { tool, ...request } = anApproval()
  const call = { ...tool!, tool_id: 't1_find', tool_name: 'Find', tool_version: 3 }
  const page = await renderPage(
    <RequestDock sessionId="s1" requests={[{ ...request, tool: call }]} onSettled={() => undefined} />,
    {
      answers: {
        'GET /tools/t1_find': () => made(patch),
        'PUT /tools/t1_find/policy': () => ({ tool_id: 't1_find', policy: 'auto', source: 'user' }),
        'POST /sessions/s1/provide-input': () => ({ status: 'accepted' }),
      },
    },
  )
  return { ...page, user: userEvent.setup() }
}

describe('server tool that asks', () => {
  it("shows its server's claim, and allows the shown version", async () => {
    const { sent, user } = await asked()
    expect(await screen.findByText('The server says it only reads.')).toBeTruthy()
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ policy: 'auto', tool_version: 3 }),
    )
  })

  it('says that it has changed, or that its server moved', async () => {
    await asked({ said: { claim: 'contradicts', news: 'changed' } })
    expect(await screen.findByText(/contradicts itself/)).toBeTruthy()
    expect(screen.getByText(/has changed what it does since it was allowed/)).toBeTruthy()
    leavePage()
    await asked({ said: { claim: 'silent', news: 'moved' } })
    expect(await screen.findByText(/address of its server has changed/)).toBeTruthy()
  })

  it('does not offer permanent permission to people who may not give it', async () => {
    await asked({ may_allow: false })
    await screen.findByText('The server says it only reads.')
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})
