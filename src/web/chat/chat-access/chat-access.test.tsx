// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ChatAccess } from '#shared/chat/chat-access/chat-access.ts'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const access: ChatAccess = {
  ...{ id: 'a1', person: { id: 'u1', name: 'Inès Brunet' }, admin_name: 'Marc Oyelaran' },
  ...{ reason: 'She asked why it stands still.', is_open: true, chats_read: 1 },
  ...{ created_at: '2026-11-24T10:00:00Z', expires_at: '2026-11-24T11:00:00Z' },
}
const ines: ManagedUser = {
  ...{ id: 'u1', username: 'ines', full_name: 'Inès Brunet', email: 'ines@orsane.eu', companies: [] },
  ...{ verified: true, is_active: true, has_second_factor: false, beta_access: false, balance: null },
  ...{ created_at: '2026-01-01T00:00:00Z', last_used_at: null },
}

it('a person sees who opened their chats and why, until they confirm it [AD-16]', async () => {
  let unseen = 1
  const { called } = await renderApp('/user/security', {
    token: 't',
    answers: {
      ...aServer(
        {
          'GET /users/me/chat-accesses': () => ({ items: [access], total: 1, has_more: false, unseen }),
          'POST /users/me/chat-accesses/seen': () => {
            unseen = 0
            return new Response(null, { status: 204 })
          },
        },
        aUser({ unseen_chat_accesses: 1 }),
      ),
    },
  })
  const name = 'An administrator has access to your chats'
  const notice = await screen.findByRole('dialog', { name })
  expect(notice.textContent).toContain('Marc Oyelaran')
  expect(notice.textContent).toContain('She asked why it stands still.')
  await user.click(within(notice).getByRole('button', { name: 'I have read this' }))
  await waitFor(() => expect(called('POST /users/me/chat-accesses/seen')).toHaveLength(1))
  expect(screen.queryByRole('dialog', { name })).toBeNull()
})

it('a super admin opens chats with a reason, and reads them one by one [AD-16]', async () => {
  const accesses: ChatAccess[] = []
  const { called } = await renderApp('/admin?page=users', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/users': () => ({ items: [ines], total: 1, page: 1, has_more: false }),
        'GET /admin/users/u1': () => ({ ...ines, groups: [], sign_ins: 0 }),
        'GET /admin/usage': () => ({
          ...{ sum: { amount: 0, tokens: 0, calls: 0, people: 0 }, before: 0, days: [], models: [] },
          prices: { stated: 0, inside: 0 },
        }),
        'GET /admin/companies': () => [],
        'POST /admin/users/u1/chat-access': () => {
          accesses.push(access)
          return [201, access]
        },
        'GET /admin/chat-accesses': () => ({ items: accesses, total: accesses.length, has_more: false }),
        'GET /admin/chat-accesses/a1/chats': () => ({
          ...{ items: [{ id: 's1', title: 'Offers', updated_at: access.created_at }], total: 1 },
          has_more: false,
        }),
        'GET /admin/chat-accesses/a1/chats/s1': () => ({
          ...{ title: 'Offers', has_more: false },
          messages: [
            { id: 'm1', role: 'user', content: '<b>Compare</b> these', created_at: access.created_at },
          ],
        }),
      },
      aUser({ role: 'super_admin' }),
    ),
  })
  await user.click(await screen.findByRole('button', { name: 'Change Inès Brunet' }))
  await user.click(await screen.findByRole('button', { name: 'Open the chats…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Open the chats of Inès Brunet' })
  const open = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Open the chats' })
  expect(open.disabled).toBe(true)
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), access.reason)
  await user.click(open)
  await user.click(await screen.findByRole('button', { name: 'Show the chats' }))
  expect(called('POST /admin/users/u1/chat-access')[0]?.body).toEqual({ reason: access.reason, hours: 1 })
  await user.click(await screen.findByRole('button', { name: 'Read: Offers' }))
  expect(await screen.findByText('<b>Compare</b> these')).toBeTruthy()
})
