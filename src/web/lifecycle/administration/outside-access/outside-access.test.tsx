// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OutsideAccess } from '#shared/lifecycle/outside-access/outside-access.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const key: OutsideAccess = {
  ...{ id: 'k1', kind: 'key', name: 'Nightly', detail: 'atr_ab12', state: 'active' },
  ...{ owner: { id: 'u1', name: 'Hugo Nguyen' }, companies: ['Orsane'] },
  ...{ created_at: '2026-01-01T00:00:00Z', expires_at: null, last_used_at: '2026-11-20T10:00:00Z' },
}
const webhook: OutsideAccess = {
  ...{ ...key, id: 'w1', kind: 'webhook', name: 'Desk', detail: 'https://hooks.orsane.eu', state: 'off' },
  ...{ owner: null, last_used_at: null },
}

const open = (path: string, items = [key, webhook]) =>
  renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /admin/outside-access': () => ({
          ...{ items, total: items.length, has_more: false },
          counts: { key: 1, embed: 0, program: 0, webhook: 1 },
        }),
        'DELETE /admin/outside-access/keys/k1': () => new Response(null, { status: 204 }),
        'DELETE /admin/outside-access/webhooks/w1': () => new Response(null, { status: 204 }),
      },
      aUser({ role: 'company_admin' }),
    ),
  })

describe('the page of keys and webhooks', () => {
  it('shows owner, company, last use and state of each', async () => {
    await open('/admin?page=connections')
    const row = await screen.findByRole('row', { name: /Nightly/ })
    expect(row.textContent).toBe('NightlyAPI key · atr_ab12Hugo NguyenOrsane20 Nov 2026Does not expire')
    expect(within(row).getByRole('link', { name: 'Hugo Nguyen' }).getAttribute('href')).toContain('person=u1')
    expect(screen.getByRole('row', { name: /Desk/ }).textContent).toContain('The companyOrsaneNeverOff')
  })

  it('revokes a key and a webhook only after a confirmation with the consequences', async () => {
    const { called } = await open('/admin?page=connections')
    await user.click(await screen.findByRole('button', { name: 'Revoke Nightly' }))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke Nightly of Hugo Nguyen?' })
    expect(within(dialog).getByText(/are refused from now on/)).toBeTruthy()
    expect(called('DELETE /admin/outside-access/keys/k1')).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(called('DELETE /admin/outside-access/keys/k1')).toHaveLength(1))
    expect(await screen.findByText('Nightly is revoked.')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Revoke Desk' }))
    const other = await screen.findByRole('dialog', { name: 'Delete Desk of Orsane?' })
    await user.click(within(other).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(called('DELETE /admin/outside-access/webhooks/w1')).toHaveLength(1))
  })

  it('opens with the kind of its address, and asks for words and kinds', async () => {
    const { called } = await open('/admin?page=connections&kind=webhook', [])
    expect((await screen.findByRole('button', { name: 'Webhooks 1' })).ariaPressed).toBe('true')
    expect(await screen.findByText('No program has access')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'API keys 1' }))
    await user.type(screen.getByRole('searchbox'), 'hugo')
    const asked = () => called('GET /admin/outside-access').map(({ query }) => String(query))
    await waitFor(() => expect(asked().at(-1)).toBe('page=1&q=hugo&kind=key'))
    expect(asked()[0]).toBe('page=1&kind=webhook')
  })
})
