import * as contract from '#shared/money/payments/payments.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { actorById, writeAudit } from '../../identity/audit/audit.ts'
import { bodyBytes } from '../../platform/http/bodies/request-body.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { isFromStripe } from './signature.ts'
import {
  bookPayment,
  endPayment,
  findPayments,
  insertPayment,
  keepInvoice,
  lockPayment,
  nameCheckout,
  noteEvent,
} from './store.ts'
import { createCheckout, readEvent, type StripeEvent } from './stripe.ts'

type Trx = Parameters<typeof lockPayment>[0]

/** Serves card top-ups where Stripe is configured: a payment starts here, is made at Stripe, and is booked on Stripe's event. */
export function servePayments(server: Server, deps: Platform): void {
  const { db, config, clock, log } = deps
  const canPay = config.ATRIUM_BILLING === 'on' && config.STRIPE_SECRET_KEY !== undefined
  serve(server, contract.listPayments, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findPayments(db, user.id, { skip, limit })
      return { can_pay: canPay, items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.startPayment, {
    handle: async ({ user, body: { amount }, request }) => {
      if (!canPay)
        throw new AppError(
          'not_available',
          'Payments by card are not set up on this server. Ask an administrator.',
        )
      const paymentId = await insertPayment(db, user.id, amount)
      const origin = config.publicUrl ?? `${request.protocol}://${request.host}`
      const asked = { paymentId, cents: Math.round(amount * 100), email: user.email }
      const { id, url } = await createCheckout(deps, { ...asked, returnTo: `${origin}/user/billing` })
      await nameCheckout(db, paymentId, id)
      return { url }
    },
  })
  serve(server, contract.hearStripe, {
    handle: async ({ request }) => {
      const secret = config.STRIPE_WEBHOOK_SECRET
      const header = String(request.headers['stripe-signature'] ?? '')
      const bytes = bodyBytes(request)
      if (!secret || !isFromStripe({ header, bytes, secret, now: clock.now() }))
        throw new AppError(
          'malformed',
          'The signature does not fit. Check the signing secret of the webhook.',
        )
      const event = readEvent(bytes)
      if (event)
        await db.transaction().execute(async (trx) => {
          if (await noteEvent(trx, event.id)) await takeEvent(trx, event)
        })
      return { received: true }
    },
  })

  async function takeEvent(trx: Trx, { type, data: { object } }: StripeEvent): Promise<void> {
    const paymentId = Id.safeParse(object.metadata?.payment_id)
    const payment = paymentId.success ? await lockPayment(trx, paymentId.data) : undefined
    if (!payment) return
    switch (type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        if (object.payment_status === 'paid') await takePaid(trx, payment, object)
        break
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_failed':
        await endPayment(trx, payment.id)
        break
      case 'invoice.paid':
        await keepInvoice(trx, payment.id, {
          number: object.number ?? null,
          url: object.hosted_invoice_url ?? null,
        })
    }
  }

  /** Books a payment once. An event without a matching payment is only logged. */
  async function takePaid(
    trx: Trx,
    payment: NonNullable<Awaited<ReturnType<typeof lockPayment>>>,
    paid: StripeEvent['data']['object'],
  ): Promise<void> {
    if (payment.state === 'paid') return
    const isWanted =
      paid.id === payment.checkout_id &&
      paid.currency === 'usd' &&
      paid.amount_total === Math.round(payment.amount * 100)
    if (!isWanted) {
      log.error(
        { payment: payment.id, checkout: paid.id },
        'A payment by card differs from what was asked for.',
      )
      return
    }
    await bookPayment(trx, payment, clock.now())
    const { actor, companyId } = await actorById(trx, payment.user_id, null)
    const changes = [{ what: 'amount', before: null, after: String(payment.amount) }]
    const subject = { subject: actor.name, subjectId: payment.user_id, companyId }
    await writeAudit(trx, clock.now(), { actor, did: 'balance.paid', ...subject, changes })
  }
}
