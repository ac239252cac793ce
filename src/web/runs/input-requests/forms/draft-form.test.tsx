import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DraftKind } from '#shared/runs/runs/request.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { RequestDock } from '../request-dock.tsx'

afterEach(leavePage)

const PATH = '/sessions/s1/provide-input'

async function open(draft: DraftKind, input: object, more: object = {}) {
  const request = aRequest({
    ...{ kind: 'approval', input_types: ['json'] },
    tool: { tool_execution_id: 'e1', tool_id: 'send_mail', tool_name: 'Send mail', input, draft, ...more },
  })
  const page = await renderPage(<RequestDock sessionId="s1" requests={[request]} onSettled={vi.fn()} />, {
    answers: { [`POST ${PATH}`]: () => ({ status: 'accepted' }) },
  })
  const sent = () =>
    page.sent.filter(({ path }) => path === PATH).map(({ body }) => (body as { input: unknown }).input)
  return { user: userEvent.setup(), sent }
}
const mail = {
  from: 'ada@example.com',
  to: ['bob@example.org'],
  subject: 'Offer',
  body: 'Hi',
  reply_to: '7:1:INBOX',
}

describe('a draft', () => {
  it('sends exactly what it shows, with what the person changed [AC-02]', async () => {
    const { user, sent } = await open('mail', mail)
    const to = await screen.findByLabelText('To')
    await user.clear(to)
    await user.type(to, 'carol@example.org; dan@example.org')
    await user.click(screen.getByRole('button', { name: 'Add Cc and Bcc' }))
    await user.type(screen.getByLabelText('Bcc'), 'eve@example.org')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(sent()).toEqual([
      {
        approved: true,
        arguments: { ...mail, to: ['carol@example.org', 'dan@example.org'], bcc: ['eve@example.org'] },
      },
    ])
  })

  it('is not sent without a recipient or with a wrong address, and its sender cannot be changed [AC-02]', async () => {
    const { user, sent } = await open('mail', mail)
    const to = await screen.findByLabelText('To')
    expect(screen.getByLabelText<HTMLInputElement>('From').readOnly).toBe(true)
    await user.clear(to)
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(screen.getByText('Fill in this field.')).toBeTruthy()
    await user.type(to, 'bob')
    expect(screen.getByText('bob is not an address.')).toBeTruthy()
    expect(sent()).toEqual([])
  })

  it('names the texts of others that the chat has read', async () => {
    const read = [{ kind: 'tool' as const, name: 'Read mail' }]
    const outward = {
      hosts: [],
      method: 'MAIL',
      address: null,
      headers: {},
      body: null,
      by_rule: true,
      can_allow_chat: true,
      read,
    }
    await open('mail', mail, { outward })
    expect(await screen.findByText(/the result of “Read mail”/)).toBeTruthy()
    expect(screen.queryByText(/Always allow/)).toBeNull()
  })

  it('of an event says whether people are invited, and keeps an untouched time as it was [AC-02]', async () => {
    const event = {
      account: 'ada@example.com',
      title: 'Review',
      starts: '2026-12-01T09:00:00+01:00',
      ends: '2026-12-01T10:00:00+01:00',
    }
    const { user, sent } = await open('event', event)
    await screen.findByRole('button', { name: 'Create' })
    await user.type(screen.getByLabelText('Guests'), 'bob@example.org')
    await user.click(screen.getByRole('button', { name: 'Create and invite' }))
    expect(sent()).toEqual([{ approved: true, arguments: { ...event, guests: ['bob@example.org'] } }])
  })

  it('is declined with a reason', async () => {
    const { user, sent } = await open('filing', {
      account: 'ada@example.com',
      mail: '1',
      subject: 'Offer',
      folder: 'Archive',
    })
    await screen.findByRole('button', { name: 'Move' })
    await user.click(screen.getByRole('button', { name: 'Decline' }))
    await user.type(screen.getByRole('textbox', { name: /reason/i }), 'Not now')
    await user.keyboard('{Enter}')
    expect(sent()).toEqual([{ approved: false, reason: 'Not now' }])
  })
})
