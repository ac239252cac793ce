import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'

/** Minimum and maximum of one payment, in whole cents. */
export const MIN_PAYMENT = 1
export const MAX_PAYMENT = 10_000

/** Value of `payment` in the return address after a payment. */
export const PAYMENT_MADE = 'made'

/** A card payment. */
export const Payment = z.object({
  id: Id,
  /** Dollars; for a completed payment the amount in the ledger. */
  amount: z.number(),
  state: z.enum(['open', 'paid', 'ended']),
  /** Invoice number; null until an invoice exists. */
  invoice_number: z.nullable(z.string()),
  invoice_url: z.nullable(z.string()),
  created_at: z.string(),
  paid_at: z.nullable(z.string()),
})
export type Payment = z.infer<typeof Payment>

export const listPayments = route({
  method: 'GET',
  path: '/users/me/payments',
  access: 'user',
  summary: 'Payments of the caller with their invoices, newest first, and whether one can pay by card here',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 20 }),
  }),
  answer: z.object({
    can_pay: z.boolean(),
    items: z.array(Payment),
    total: z.int(),
    has_more: z.boolean(),
  }),
})

export const startPayment = route({
  method: 'POST',
  path: '/users/me/payments',
  access: 'user',
  summary: 'Begin a payment by card; the answer says where it is made',
  fails: ['not_available', 'provider_failed', 'unavailable'],
  body: z.object({
    /** Dollars, in whole cents. */
    amount: z.number().check(
      z.gte(MIN_PAYMENT),
      z.lte(MAX_PAYMENT),
      z.refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, 'Give whole cents.'),
    ),
  }),
  answer: z.object({ url: z.string() }),
})

/** Webhook for Stripe. The body is a Stripe event, signed in the header `Stripe-Signature`. */
export const hearStripe = route({
  method: 'POST',
  path: '/payments/stripe',
  access: 'public',
  summary: 'What Stripe tells of payments; refused without its signature, done once however often it is told',
  answer: z.object({ received: z.boolean() }),
})
