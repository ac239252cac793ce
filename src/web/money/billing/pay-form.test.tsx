// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const payment = {
  ...{ id: 'p1', amount: 12.34, state: 'paid', invoice_number: 'A-0001', created_at: '2026-11-24T10:00:00Z' },
  ...{ invoice_url: 'https://invoice.stripe.com/i/1', paid_at: '2026-11-24T10:01:00Z' },
}

type Payments = { can_pay: boolean; items: object[]; total: number; has_more: boolean }

/** Opens the billing tab with the given payments response. */
function openBilling(path: string, payments: () => Payments | Promise<Payments>) {
  const this_month = { amount: 0, input_tokens: 0, output_tokens: 0, calls: 0 }
  return renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /users/me/billing': () => ({
          ...{ enabled: true, balance: 4.2, items: [], total: 0, page: 1, has_more: false },
          this_month,
        }),
        'GET /users/me/billing/usage': () => ({ steps: [], models: [] }),
        'GET /users/me/payments': payments,
        'POST /users/me/payments': () => [502, { detail: 'The payment could not be started.', code: 'x' }],
      },
      aUser({ balance: 4.2 }),
    ),
  })
}

it('offers card payment where configured, reports failures and lists invoices', async () => {
  const page = await openBilling('/user/billing', () => ({
    ...{ can_pay: true, items: [payment], total: 1, has_more: false },
  }))
  await user.click(await screen.findByRole('button', { name: '$10' }))
  await user.click(screen.getByRole('button', { name: 'Pay $10.00 by card' }))
  expect(await screen.findByText('The payment could not be started.')).toBeTruthy()
  expect(page.called('POST /users/me/payments')[0]?.body).toEqual({ amount: 10 })
  const invoice = screen.getByRole('link', { name: 'Invoice A-0001' })
  expect(invoice.getAttribute('href')).toBe(payment.invoice_url)
  expect(screen.getByText('$12.34')).toBeTruthy()
})

it('mentions no administrator until it is known whether the user can pay by card', async () => {
  const { promise, resolve } = Promise.withResolvers<Payments>()
  await openBilling('/user/billing', () => promise)
  await screen.findByText('Loading usage')
  expect(screen.queryByText(/Only an administrator/)).toBeNull()
  resolve({ can_pay: true, items: [], total: 0, has_more: false })
  expect(await screen.findByRole('button', { name: 'Pay $25.00 by card' })).toBeTruthy()
  expect(screen.queryByText(/Only an administrator/)).toBeNull()
})

it.each([
  ['open', /^\$12\.34 is being confirmed\./],
  ['paid', /^\$12\.34 was paid by card/],
])('tells a user returning from checkout that the payment is %s', async (state, told) => {
  const list = { can_pay: true, items: [{ ...payment, state }], total: 1, has_more: false }
  await openBilling('/user/billing?payment=made', () => list)
  expect(await screen.findByText(told)).toBeTruthy()
})

it.each([
  ['/user/billing?payment=made', 'ended'],
  ['/user/billing', 'paid'],
])('shows %s nothing about a payment that is %s', async (path, state) => {
  const list = { can_pay: true, items: [{ ...payment, state }], total: 1, has_more: false }
  await openBilling(path, () => list)
  await screen.findByText('Payments and invoices')
  expect(screen.queryByText(/^\$12\.34 (is being confirmed|was paid by card)/)).toBeNull()
})
