import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { LedgerEntry } from '#shared/money/billing/billing.ts'
import { anEntry } from '#tests/web/ledger-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aUser } from '#tests/web/user-builder.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { BalanceButton } from './balance-button.tsx'
import { BillingTab } from './billing.tsx'
import { keyOf } from './usage-period.ts'

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
const nothingUsed = {
  'GET /users/me/payments': () => ({ can_pay: false, items: [], total: 0, has_more: false }),
  'GET /users/me/billing/usage': () => ({ steps: [], models: [] }),
  'GET /users/me/budgets': () => ({ items: [], total: 0, has_more: false }),
}
const drawTab = (answers: Answers, user = me(), path = '/user/billing') =>
  renderPage(<BillingTab user={user} />, {
    answers: Object.assign(answers, { ...nothingUsed, ...answers }),
    path,
  })

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

  it('shows the balance with two decimals and links to the billing tab [BI-01]', async () => {
    await draw(4.2)
    const link = await screen.findByRole('link', { name: 'Balance $4.20, open billing' })
    expect(link.getAttribute('href')).toBe('/user/billing')
    expect(link.textContent).toBe('$4.20')
    expect(link.dataset.level).toBe('normal')
  })

  it('warns below 1 and turns critical below 0.5 [BI-02]', async () => {
    await draw(0.99)
    expect((await screen.findByRole('link')).dataset.level).toBe('warning')
    act(() => queryClient.setQueryData(meQuery.queryKey, me({ balance: 0.49 })))
    await waitFor(() => expect(screen.getByRole('link').dataset.level).toBe('critical'))
  })

  it.each([5, null])('is hidden at a balance of %s [BI-03]', async (balance) => {
    const { sent } = await draw(balance)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('is hidden while loading [BI-03]', async () => {
    await renderPage(<BalanceButton />, { answers: { 'GET /users/me': () => new Promise(() => {}) } })
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('flashes for 1.5 s when the balance drops, but not when it rises [BI-04]', async () => {
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
  it("shows the balance, this month's usage and the entries, newest first [SH-29, SV-87]", async () => {
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
    const rows = screen.getAllByRole('row').map((row) => row.textContent)
    expect(rows.find((text) => text?.includes('HVAC renewals'))).toMatch(
      /openai\/gpt-4o.*12,406estimated−\$0\.06(\$3\.14){2}$/,
    )
    expect(rows.find((text) => text?.includes('qwen3'))).toMatch(
      /Summary of the chat so far.*unpriced(\$3\.14){2}$/,
    )
    expect(rows.find((text) => text?.includes('Top-up'))).toMatch(/Top-up\+\$3\.00(\$3\.14){2}$/)
    expect(sent.find(({ path }) => path === '/users/me/billing')?.query.get('limit')).toBe('50')
  })

  it('describes the purpose of each call in words', async () => {
    const entries = ['reply', 'belief', 'tool', 'documents'].map((reason) =>
      anEntry({ reason, session_title: reason }),
    )
    drawTab({ 'GET /users/me/billing': () => billing(entries) })
    for (const words of ['Reply', 'Working memory', 'Work of a tool', 'Reading of documents'])
      expect(await screen.findByText(words)).toBeTruthy()
  })

  it('shows the balance after each entry only where money is counted', async () => {
    let more: object = {}
    const answer = () => billing([anEntry({ session_title: 'HVAC renewals' })], more)
    const { unmount } = await drawTab({ 'GET /users/me/billing': answer })
    expect(await screen.findByRole('columnheader', { name: 'Balance' })).toBeTruthy()
    expect(screen.getAllByText('$3.14')).toHaveLength(2)
    unmount()
    queryClient.clear()
    more = { enabled: false, balance: null }
    await drawTab({ 'GET /users/me/billing': answer })
    expect(await screen.findByText('HVAC renewals')).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: 'Balance' })).toBeNull()
    expect(screen.queryByText('$3.14')).toBeNull()
  })

  it('paginates the list [SV-87]', async () => {
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

  it('says that billing is off, without showing a balance [SH-29]', async () => {
    await drawTab({ 'GET /users/me/billing': () => billing([], { enabled: false, balance: null }) })
    expect(await screen.findByText('Billing is off.')).toBeTruthy()
    expect(screen.queryByText('Balance')).toBeNull()
    expect(screen.getByText('Nothing in this period')).toBeTruthy()
  })

  const today = keyOf(new Date())
  const used = {
    steps: [{ start: today, amount: 1.42, tokens: 38_220, calls: 12 }],
    models: [
      { model_name: 'openai/gpt-4o', amount: 1.02, tokens: 30_000, calls: 8 },
      { model_name: 'atrium/offline', amount: 0.4, tokens: 8220, calls: 4 },
    ],
  }

  it('shows the usage of each day of the month as bars and as a table [SH-29]', async () => {
    await drawTab({
      'GET /users/me/billing': () => billing([]),
      'GET /users/me/billing/usage': () => used,
    })
    const chart = await screen.findByRole('figure', { name: 'Used by day' })
    const [year = 0, month = 0] = today.split('-').map(Number)
    expect(chart.querySelectorAll('rect')).toHaveLength(new Date(year, month, 0).getDate())
    expect(chart.querySelectorAll('rect.fill-accent')).toHaveLength(1)
    const [, row] = within(within(chart).getByRole('table', { name: 'Used by day' })).getAllByRole('row')
    expect(row?.textContent).toMatch(/1238,220\$1\.42$/)
    const bars = within(screen.getByRole('list', { name: 'Used by model' })).getAllByRole('listitem')
    expect(bars.map((bar) => bar.textContent)).toEqual(['openai/gpt-4o$1.02', 'Built-in model$0.40'])
  })

  it('shows a sentence instead of an empty chart when nothing was used [SH-29]', async () => {
    await drawTab({ 'GET /users/me/billing': () => billing([]) })
    await screen.findByText(/^Nothing was used in this period\./)
    expect(screen.queryByRole('figure')).toBeNull()
  })

  it('filters by period, kind and model, and stores the filter in the URL [SH-29]', async () => {
    const ofMonth = { ...used, steps: used.steps.map((one) => ({ ...one, start: `${today.slice(0, 8)}01` })) }
    const page = await drawTab(
      { 'GET /users/me/billing': () => billing([]), 'GET /users/me/billing/usage': () => ofMonth },
      me(),
      '/user/billing?period=last_month',
    )
    const last = () => page.sent.filter(({ path }) => path === '/users/me/billing').at(-1)?.query
    await screen.findByText(/^Nothing was used in this period\./)
    const now = new Date()
    expect(last()?.get('to')).toBe(new Date(now.getFullYear(), now.getMonth(), 1).toISOString())
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind of entry' }), 'Usage')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Model' }), 'openai/gpt-4o')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'All time')
    await waitFor(() => expect(last()?.get('from')).toBeNull())
    expect([last()?.get('kind'), last()?.get('model')]).toEqual(['usage', 'openai/gpt-4o'])
    expect(page.hrefNow()).toBe('/user/billing?period=all&kind=usage&model=openai%2Fgpt-4o')
    expect(await screen.findByRole('figure', { name: 'Used by month' })).toBeTruthy()
  })

  it('exports the entries shown as a file [SH-29]', async () => {
    const saved: { name: string; size: number }[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL() {} }))
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, size: this.href.length })
    })
    const { sent } = await drawTab(
      {
        'GET /users/me/billing': () => billing([]),
        'GET /users/me/billing/export': () => 'Time,Kind',
      },
      me(),
      '/user/billing?period=all&kind=money',
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Download as CSV' }))
    await waitFor(() => expect(saved).toMatchObject([{ name: `usage-${today}.csv` }]))
    const { query } = sent.find(({ path }) => path.endsWith('/export')) ?? {}
    expect([query?.get('kind'), query?.get('language'), query?.get('from')]).toEqual(['money', 'en', null])
  })

  it('tells a regular user that only an administrator can top up [G-29]', async () => {
    await drawTab({ 'GET /users/me/billing': () => billing([]) })
    expect(
      await screen.findByText('Only an administrator can add money. Ask yours when you need more.'),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Add/ })).toBeNull()
  })

  it('lets a super admin top up their own balance [G-29]', async () => {
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

  it('reports a failed request and offers a retry [SH-29]', async () => {
    const answers: Answers = { 'GET /users/me/billing': () => [403, { detail: 'No.', code: 'forbidden' }] }
    await drawTab(answers)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Your usage could not be loaded.')
    answers['GET /users/me/billing'] = () => billing([])
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Nothing in this period')).toBeTruthy()
  })
})
