import * as z from 'zod/mini'
import { PAYMENT_MADE } from '#shared/money/payments/payments.ts'
import { AppError } from '#shared/platform/errors.ts'
import { tryJson } from '../../platform/outbound/foreign/foreign.ts'
import type { Platform } from '../../platform/platform.ts'

type Deps = Pick<Platform, 'outbound' | 'config' | 'log'>

type Checkout = { paymentId: string; cents: number; email: string; returnTo: string }

const Session = z.object({ id: z.string(), url: z.string() })

/**
 * Creates a Stripe checkout page for one amount, with an invoice. The payment's id makes the call idempotent.
 * @throws AppError `unavailable`, `provider_failed`
 */
export async function createCheckout(
  { outbound, config, log }: Deps,
  { paymentId, cents, email, returnTo }: Checkout,
): Promise<z.infer<typeof Session>> {
  const { STRIPE_URL, STRIPE_SECRET_KEY } = config
  const form = new URLSearchParams({
    mode: 'payment',
    success_url: `${returnTo}?payment=${PAYMENT_MADE}`,
    cancel_url: returnTo,
    customer_email: email,
    client_reference_id: paymentId,
    'metadata[payment_id]': paymentId,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': String(cents),
    'line_items[0][price_data][product_data][name]': 'Atrium',
    'invoice_creation[enabled]': 'true',
    'invoice_creation[invoice_data][metadata][payment_id]': paymentId,
  })
  const answer = await outbound.fetch(`${STRIPE_URL}/v1/checkout/sessions`, {
    ...{ method: 'POST', body: form.toString(), maxRedirects: 0, trusted: [STRIPE_URL] },
    headers: {
      authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': paymentId,
    },
    maxBytes: 256 * 1024,
  })
  const session = answer.status === 200 ? Session.safeParse(tryJson(answer.bytes)) : null
  if (session?.success) return session.data
  // Stripe's message may reveal the account, so only the operator's log gets it.
  log.error(
    { status: answer.status, said: Buffer.from(answer.bytes).toString().slice(0, 500) },
    'Stripe refused a payment.',
  )
  throw new AppError(
    'provider_failed',
    'The payment could not be started. Try again later, or ask an administrator.',
  )
}

const text = z.nullish(z.string())
const StripeObject = z.object({
  id: z.string(),
  payment_status: text,
  amount_total: z.nullish(z.number()),
  currency: text,
  number: text,
  hosted_invoice_url: text,
  metadata: z.nullish(z.object({ payment_id: text })),
})
const StripeEvent = z.object({ id: z.string(), type: z.string(), data: z.object({ object: StripeObject }) })
export type StripeEvent = z.infer<typeof StripeEvent>

/** Parses an event; null when it is not about a payment of this server. */
export function readEvent(bytes: Buffer): StripeEvent | null {
  const event = StripeEvent.safeParse(tryJson(bytes))
  return event.success ? event.data : null
}
