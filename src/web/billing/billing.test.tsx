import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#shared/accounts/accounts.ts'
import type { LedgerEntry } from '#shared/billing/billing.ts'
import { meQuery } from '../lib/me.ts'
import { queryClient } from '../lib/query-client.ts'
import { type Answers, leavePage, renderPage } from '../lib/render-page.tsx'
import { aUser } from '../user/user-builder.ts'
import { BalanceButton } from './balance-button.tsx'
import { BillingTab } from './billing.tsx'
import { anEntry } from './ledger-builder.ts'

const month = { amount: 11.84, input_tokens: 3_000_000, output_tokens: 900_000, calls: 412 }
const me = (given: Partial<User> = {}) => aUser({ balance: 4.2, ...given })
const superAdmin = me({
  company_affiliations: [
    {
      company: { id: '6f0c2f0e-52a5-4d5e-9d3e-0d9a2a1b7c12', name: 'Orsane' },
      role: { name: 'super_admin' },
    },
  ],
})
const billing = (items: LedgerEntry[], more = {}) => ({
  enabled: true,
  balance: 4.2,
  items,
  total: items.length,
  page: 1,
  has_more: false,
  this_month: month,
  ...more,
})
const drawTab = (answers: Answers, user = me()) => renderPage(<BillingTab user={user} />, { answers })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => {
  leavePage()
  vi.useRealTimers()
})

describe('the balance button', () => {
  const draw = (balance: number | null) =>
    renderPage(<BalanceButton />, { answers: { 'GET /users/me': () => me({ balance }) } })

  it('BI-01 shows the balance with two decimals and leads to the billing tab', async () => {
    await draw(4.2)
    const link = await screen.findByRole('link', { name: 'Balance $4.20, open billing' })
    expect(link.getAttribute('href')).toBe('/user/billing')
    expect(link.textContent).toBe('$4.20')
    expect(link.dataset.level).toBe('normal')
  })

  it('BI-02 is a warning under 1 and critical under 0.5', async () => {
    await draw(0.99)
    expect((await screen.findByRole('link')).dataset.level).toBe('warning')
    act(() => queryClient.setQueryData(meQuery.queryKey, me({ balance: 0.49 })))
    await waitFor(() => expect(screen.getByRole('link').dataset.level).toBe('critical'))
  })

  it.each([5, null])('BI-03 is hidden at a balance of %s', async (balance) => {
    const { sent } = await draw(balance)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('BI-03 is hidden while loading', async () => {
    await renderPage(<BalanceButton />, { answers: { 'GET /users/me': () => new Promise(() => {}) } })
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('BI-04 flashes 1.5 s when the balance drops, and not when it grows', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await draw(4)
    await screen.findByRole('link')
    const isFlashing = () => screen.getByRole('link').dataset.flashing === 'true'
    const setBalance = async (balance: number) => {
      await act(async () => queryClient.setQueryData(meQuery.queryKey, me({ balance })))
      await act(() => vi.advanceTimersByTimeAsync(10))
    }
    await setBalance(4.5)
    expect(isFlashing()).toBe(false)
    await setBalance(4.1)
    expect(isFlashing()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(1300))
    expect(isFlashing()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(300))
    expect(isFlashing()).toBe(false)
  })
})

describe('the billing tab', () => {
  it('SH-29 SV-87 shows balance, this month and what was used, newest first', async () => {
    const used = anEntry({ session_title: 'HVAC renewals', estimated: true })
    const open = anEntry({ model_name: 'vllm/qwen3', unpriced: true, amount: 0, reason: 'summary' })
    const topUp = anEntry({
      kind: 'top_up',
      amount: 3,
      reason: 'Top-up',
      model_name: null,
      input_tokens: null,
      output_tokens: null,
    })
    const { sent } = await drawTab({ 'GET /users/me/billing': () => billing([used, open, topUp]) })
    expect(await screen.findByText('$4.20')).toBeTruthy()
    expect(screen.getByText('$11.84')).toBeTruthy()
    const rows = screen.getAllByRole('row').map((row) => row.textContent)
    expect(rows.find((text) => text?.includes('HVAC renewals'))).toMatch(
      /openai\/gpt-4o.*12,406estimated−\$0\.06$/,
    )
    expect(rows.find((text) => text?.includes('qwen3'))).toMatch(/Summary of older turns.*unpriced$/)
    expect(rows.find((text) => text?.includes('Top-up'))).toMatch(/Top-up\+\$3\.00$/)
    expect(sent[0]?.query.get('limit')).toBe('50')
  })

  it('SV-87 pages through the list', async () => {
    const answer = ({ query }: { query: URLSearchParams }) => {
      const page = Number(query.get('page'))
      return billing([anEntry({ session_title: `Page ${page}` })], { total: 51, page, has_more: page === 1 })
    }
    await drawTab({ 'GET /users/me/billing': answer })
    expect(await screen.findByText('1–1 of 51')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newer entries' }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Older entries' }))
    expect(await screen.findByText('Page 2')).toBeTruthy()
    expect(screen.getByText('51–51 of 51')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Older entries' }).disabled).toBe(true)
  })

  it('SH-29 says so when billing is off, and shows no balance', async () => {
    await drawTab({ 'GET /users/me/billing': () => billing([], { enabled: false, balance: null }) })
    expect(await screen.findByText('Billing is off.')).toBeTruthy()
    expect(screen.queryByText('Balance')).toBeNull()
    expect(screen.getByText('Nothing used yet')).toBeTruthy()
  })

  it('G-29 tells an ordinary user that only an administrator tops up', async () => {
    await drawTab({ 'GET /users/me/billing': () => billing([]) })
    expect(
      await screen.findByText('Only an administrator can add money. Ask yours when you need more.'),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Add/ })).toBeNull()
  })

  it('G-29 lets a super admin book a top-up for themselves', async () => {
    const path = `POST /admin/users/${superAdmin.id}/top-up`
    const { sent } = await drawTab(
      {
        'GET /users/me/billing': () => billing([]),
        [path]: () => ({ balance: 16.7 }),
        'GET /users/me': () => superAdmin,
      },
      superAdmin,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Other' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Amount in dollars' }), '0')
    await userEvent.click(screen.getByRole('button', { name: 'Add money' }))
    expect(screen.getByText('Type an amount between $0.01 and $100,000.')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox'), '{Backspace}12,5')
    await userEvent.click(screen.getByRole('button', { name: 'Add $12.50' }))
    await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ amount: 12.5 }))
  })

  it('SH-29 says what failed and tries again', async () => {
    const answers: Answers = { 'GET /users/me/billing': () => [403, { detail: 'No.', code: 'forbidden' }] }
    await drawTab(answers)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Your usage could not be loaded.')
    answers['GET /users/me/billing'] = () => billing([])
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Nothing used yet')).toBeTruthy()
  })
})
