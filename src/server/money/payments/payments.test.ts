import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { anEvent, STRIPE_KEY, signatureOf, startStripe, WEBHOOK_SECRET } from '#tests/stripe-server.ts'

let stripe: Awaited<ReturnType<typeof startStripe>>
let app: TestApp
beforeAll(async () => {
  stripe = await startStripe()
  app = await startApp({
    config: {
      ...{ ATRIUM_BILLING: 'on', ATRIUM_PUBLIC_URL: 'https://atrium.example' },
      ...{ STRIPE_URL: stripe.url, STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    },
  })
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})

const ask = (user: TestUser, method: 'GET' | 'POST', path: string, payload?: object) =>
  app.http.inject({
    ...{ method, url: `/api/v1/users/me/${path}`, headers: user.headers },
    ...(payload ? { payload } : {}),
  })
const tell = async (body: string, signature: string | null = signatureOf(body)) => {
  const headers = { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) }
  return (await app.http.inject({ method: 'POST', url: '/api/v1/payments/stripe', headers, payload: body }))
    .statusCode
}
/** Builds Stripe's event for the newest paid checkout. */
const paidEvent = (patch: Record<string, unknown> = {}) => {
  const { id, payment_id, cents } = stripe.newest()
  const sum = { payment_status: 'paid', amount_total: cents, currency: 'usd' }
  return anEvent('checkout.session.completed', { id, ...sum, metadata: { payment_id }, ...patch })
}
const billing = async (user: TestUser) => (await ask(user, 'GET', 'billing')).json()
const payments = async (user: TestUser) => (await ask(user, 'GET', 'payments')).json()

describe('a card payment', () => {
  it("is booked on Stripe's event; balance, list and invoices agree with the ledger [AD-18]", async () => {
    const user = await aUser(app, { balance: 1 })
    const begun = await ask(user, 'POST', 'payments', { amount: 12.34 })
    expect(begun.json()).toEqual({ url: `https://checkout.stripe.com/c/pay/${stripe.newest().id}` })
    const { form } = stripe.checkouts.at(-1) ?? { form: new URLSearchParams() }
    expect(Object.fromEntries(form)).toMatchObject({
      ...{ mode: 'payment', customer_email: user.email, cancel_url: 'https://atrium.example/user/billing' },
      success_url: 'https://atrium.example/user/billing?payment=made',
      ...{ 'line_items[0][price_data][unit_amount]': '1234', 'invoice_creation[enabled]': 'true' },
    })
    expect((await billing(user)).balance).toBe(1)
    expect((await payments(user)).items).toMatchObject([{ state: 'open', amount: 12.34, paid_at: null }])
    // The invoice event may precede the payment event.
    const { payment_id } = stripe.newest()
    const invoice = { id: 'in_1', number: 'A-0001', hosted_invoice_url: 'https://invoice.stripe.com/i/1' }
    expect(await tell(anEvent('invoice.paid', { ...invoice, metadata: { payment_id } }))).toBe(200)
    expect(await tell(paidEvent())).toBe(200)
    const shown = await billing(user)
    const paid = await payments(user)
    expect(paid).toMatchObject({
      can_pay: true,
      items: [
        { state: 'paid', amount: 12.34, invoice_number: 'A-0001', invoice_url: invoice.hosted_invoice_url },
      ],
    })
    const entries = await app.deps.db
      .selectFrom('ledger_entries')
      .select(['amount', 'payment_id', 'kind'])
      .where('user_id', '=', user.id)
      .execute()
    const sumOf = (list: { amount: number }[]) =>
      Number(list.reduce((sum, one) => sum + one.amount, 0).toFixed(9))
    expect(shown.balance).toBe(sumOf(entries))
    expect(shown.balance).toBe(sumOf(shown.items))
    expect(shown.items[0].balance).toBe(shown.balance)
    expect(sumOf(paid.items)).toBe(sumOf(entries.filter((one) => one.payment_id !== null)))
  })

  it('is booked once for repeated, reordered and redundant events [AD-09]', async () => {
    const user = await aUser(app, { balance: 1 })
    await ask(user, 'POST', 'payments', { amount: 10 })
    const event = paidEvent()
    expect(await Promise.all([tell(event), tell(event), tell(event)])).toEqual([200, 200, 200])
    expect(await tell(paidEvent())).toBe(200)
    expect(await tell(paidEvent().replace('.completed', '.async_payment_succeeded'))).toBe(200)
    expect(await tell(paidEvent().replace('.completed', '.expired'))).toBe(200)
    expect((await billing(user)).balance).toBe(11)
    expect((await payments(user)).items).toMatchObject([{ state: 'paid' }])
    const admin = await aUser(app, { role: 'super_admin' })
    const booked = await app.http.inject({
      ...{ method: 'POST', url: `/api/v1/admin/users/${user.id}/top-up`, headers: admin.headers },
      payload: { amount: 5 },
    })
    expect(booked.json()).toEqual({ balance: 16 })
  })

  it('requires a recent signature of the exact bytes [AD-09]', async () => {
    const user = await aUser(app, { balance: 1 })
    await ask(user, 'POST', 'payments', { amount: 10 })
    const event = paidEvent()
    const now = Date.now() / 1000
    expect(await tell(event, null)).toBe(400)
    expect(await tell(event, signatureOf(event, { secret: 'whsec_other' }))).toBe(400)
    expect(await tell(event.replace('1000', '9000'), signatureOf(event))).toBe(400)
    expect(await tell(event, signatureOf(event, { at: now - 330 }))).toBe(400)
    expect(await tell(event, signatureOf(event, { at: now + 330 }))).toBe(400)
    expect(await tell(event, signatureOf(event).replace(/^t=\d+/, `t=${Math.floor(now) - 1}`))).toBe(400)
    expect(await tell(event, 't=,v1=')).toBe(400)
    expect((await billing(user)).balance).toBe(1)
    // During a key rotation one of two signatures matches.
    const [time, good] = signatureOf(event).split(',')
    expect(await tell(event, `${time},v1=00,${good}`)).toBe(200)
    expect((await billing(user)).balance).toBe(11)
  })

  it.each([
    ['another sum', { amount_total: 1 }],
    ['another currency', { currency: 'eur' }],
    ['another checkout', { id: 'cs_test_other' }],
    ['no money yet', { payment_status: 'unpaid' }],
    ['a payment nobody began', { metadata: { payment_id: crypto.randomUUID() } }],
    ['no payment', { metadata: null }],
  ])('is not booked in case of %s', async (_, patch) => {
    const user = await aUser(app, { balance: 1 })
    await ask(user, 'POST', 'payments', { amount: 10 })
    expect(await tell(paidEvent(patch))).toBe(200)
    expect((await billing(user)).balance).toBe(1)
  })

  it('ends when it is cancelled or fails', async () => {
    const user = await aUser(app)
    await ask(user, 'POST', 'payments', { amount: 10 })
    await tell(paidEvent().replace('.completed', '.expired'))
    expect((await payments(user)).items).toMatchObject([{ state: 'ended', paid_at: null }])
  })

  it.each([0.5, 10_001, 1.001, -5, Number.NaN])('is refused for %s dollars', async (amount) => {
    const user = await aUser(app)
    expect((await ask(user, 'POST', 'payments', { amount })).statusCode).toBe(422)
  })
})

it("card payments are unavailable without Stripe's settings, and Stripe's refusal becomes one plain sentence", async () => {
  const plain = await startApp({ config: { ATRIUM_BILLING: 'on' } })
  const user = await aUser(plain)
  const post = (one: TestApp, headers: TestUser['headers']) =>
    one.http.inject({ method: 'POST', url: '/api/v1/users/me/payments', headers, payload: { amount: 10 } })
  expect((await post(plain, user.headers)).json()).toMatchObject({ code: 'not_available' })
  await plain.close()
  const wrong = await startApp({
    config: {
      ...{ ATRIUM_BILLING: 'on', STRIPE_URL: stripe.url },
      ...{ STRIPE_SECRET_KEY: 'sk_wrong', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    },
  })
  const refused = await post(wrong, (await aUser(wrong)).headers)
  await wrong.close()
  expect(refused.statusCode).toBe(502)
  expect(refused.json().detail).toBe(
    'The payment could not be started. Try again later, or ask an administrator.',
  )
})
