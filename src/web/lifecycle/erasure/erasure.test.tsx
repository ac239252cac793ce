// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const me = aUser({ role: 'super_admin' })
const heirId = '1f0c6f7e-0a51-4a9e-8a3c-0d7f1f6f2b12'
const receipt = {
  ...{ id: '1f0c6f7e-0a51-4a9e-8a3c-0d7f1f6f2b11', asked_by: 'person' },
  ...{ requested_at: '2026-11-24T10:00:00Z', due_at: '2026-11-25T10:00:00Z', finished_at: null },
  counts: { chats: 21, file_bytes: 66_711 },
}

async function openData(erased: (body: Record<string, unknown>) => unknown) {
  return renderApp('/user/data', {
    token: 't',
    answers: aServer(
      {
        'GET /exports': () => ({ items: [] }),
        'GET /links': () => ({ items: [], total: 0 }),
        'GET /users/me/erasure': () => ({
          ...{ counts: { chats: 3, documents: 0, passkeys: 1 } },
          shared: { assistants: 2, heirs: [{ id: heirId, name: 'Inès Brunet', assistants: 1 }] },
        }),
        'POST /users/me/erasure': ({ body }) => erased(body as Record<string, unknown>),
      },
      me,
    ),
  })
}

describe('account deletion', () => {
  it('shows what will be deleted, requires address and password, and signs out once started', async () => {
    const wrong = {
      ...{ code: 'invalid', detail: 'x' },
      errors: [{ path: 'current_password', message: 'The current password is wrong.' }],
    }
    const { called } = await openData((body) =>
      body.current_password === 'right' ? [202, { token: 'abc', due_at: receipt.due_at }] : [422, wrong],
    )
    await user.click(await screen.findByRole('button', { name: 'Delete my account…' }))
    const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(rows).toEqual(expect.arrayContaining(['Chats3', 'Passkeys1']))
    expect(rows).not.toContain('Documents0')
    const confirm = screen.getByRole('button', { name: 'Delete my account' }) as HTMLButtonElement
    expect(confirm.disabled).toBe(true)
    await user.type(screen.getByLabelText(`Type ${me.email} to confirm`), me.email.toUpperCase())
    await user.type(screen.getByLabelText('Your password'), 'nearly{Enter}')
    expect(await screen.findByText('The current password is wrong.')).toBeTruthy()
    expect(localStorage.getItem('token')).toBe('t')
    await user.clear(screen.getByLabelText('Your password'))
    await user.selectOptions(
      screen.getByLabelText('2 assistants are shared. Who takes them over?'),
      'Inès Brunet, 1 of 2',
    )
    await user.type(screen.getByLabelText('Your password'), 'right{Enter}')
    await waitFor(() => expect(localStorage.getItem('token')).toBeNull())
    expect(called('POST /users/me/erasure')).toHaveLength(2)
    expect(called('POST /users/me/erasure')[1]?.body).toMatchObject({ heir_id: heirId })
  })

  it('shows a receipt without sign-in, during and after the deletion', async () => {
    await renderApp('/receipt/abc', { answers: { 'GET /receipts/abc': () => receipt } })
    expect(await screen.findByText(/The account is closed/)).toBeTruthy()
    const [list] = screen.getAllByRole('list')
    const rows = within(list as HTMLElement).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual(['Chats21', 'Size of files65.1\u00a0KB'])
    leaveApp()
    const done = { ...receipt, finished_at: '2026-11-24T11:01:00Z' }
    await renderApp('/receipt/abc', { answers: { 'GET /receipts/abc': () => done } })
    expect(await screen.findByText(/Everything is deleted\./)).toBeTruthy()
    leaveApp()
    const gone = [404, { code: 'not_found', detail: 'x' }]
    await renderApp('/receipt/abc', { answers: { 'GET /receipts/abc': () => gone } })
    expect(await screen.findByText('There is no such receipt')).toBeTruthy()
  })
})
