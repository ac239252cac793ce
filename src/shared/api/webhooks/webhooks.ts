import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt } from '../../platform/primitives.ts'

/** Maximum number of webhooks per person and per company. */
export const MAX_WEBHOOKS = 20
/** Hours that a replaced secret still signs deliveries together with the new one. */
export const PREVIOUS_HOURS = 24
/** Days without a successful delivery until a webhook is turned off. */
export const GIVE_UP_DAYS = 5
/** Days that deliveries are stored. */
export const KEPT_DAYS = 30

/** Events that a webhook can subscribe to. */
export const webhookEvents = [
  'run.finished',
  'run.waits',
  'run.failed',
  'document.ready',
  'notification.created',
] as const
export const WebhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** A webhook, without its secret. */
export const Webhook = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  /** Company whose members' events are sent; null for the maker's own events. */
  company: z.nullable(z.object({ id: Id, name: z.string() })),
  is_on: z.boolean(),
  failing_since: z.nullable(z.string()),
  /** Time at which it was turned off after too many days without a delivery. */
  gave_up_at: z.nullable(z.string()),
  created_at: z.string(),
})
export type Webhook = z.infer<typeof Webhook>

const Address = z.string().check(
  z.maxLength(2_000, { abort: true }),
  z.refine((address) => /^https?:\/\/\S+$/.test(address) && URL.canParse(address), {
    error: 'must begin with https:// or http://',
  }),
)
const Events = z.array(WebhookEvent).check(z.minLength(1), z.maxLength(webhookEvents.length))

export const listWebhooks = route({
  method: 'GET',
  path: '/webhooks',
  access: 'user',
  summary: 'The webhooks of the caller and of the companies they administer, the newest first',
  query: z.object({
    skip: queryInt({ min: 0, max: 10_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(Webhook), total: z.int() }),
})

/** Only this response contains the secret. With `company_id`, an administrator subscribes to all events of the company. */
export const createWebhook = route({
  method: 'POST',
  path: '/webhooks',
  access: 'user',
  uses: 'feature webhooks',
  fails: ['conflict', 'not_found'],
  summary: 'Have an address told what happens; its secret is answered this once',
  body: z.object({
    name: label(1, 80),
    url: Address,
    events: Events,
    company_id: z._default(z.nullable(Id), null),
  }),
  status: 201,
  answer: z.object({ webhook: Webhook, secret: z.string() }),
})

const WebhookParams = z.object({ webhookId: Id })

/** Turning a webhook on again resets its failures. */
export const updateWebhook = route({
  method: 'PATCH',
  path: '/webhooks/:webhookId',
  access: 'user',
  may: 'manage webhook',
  summary: 'Change what a webhook is called, where it leads, what it is told, or whether it is on',
  params: WebhookParams,
  body: z.object({
    name: z.optional(label(1, 80)),
    url: z.optional(Address),
    events: z.optional(Events),
    is_on: z.optional(z.boolean()),
  }),
  answer: Webhook,
})

export const deleteWebhook = route({
  method: 'DELETE',
  path: '/webhooks/:webhookId',
  access: 'user',
  may: 'manage webhook',
  summary: 'Delete a webhook, with what it was told',
  params: WebhookParams,
  status: 204,
})

export const renewWebhookSecret = route({
  method: 'POST',
  path: '/webhooks/:webhookId/secret',
  access: 'user',
  may: 'manage webhook',
  summary: 'A new secret, answered this once; the one before signs beside it for a day',
  params: WebhookParams,
  answer: z.object({ secret: z.string() }),
})

export const tryWebhook = route({
  method: 'POST',
  path: '/webhooks/:webhookId/try',
  access: 'user',
  may: 'manage webhook',
  summary: 'Send it something to try it with',
  params: WebhookParams,
  status: 204,
})

/** One delivery attempt: the response status, or the reason there was no response. */
export const WebhookAttempt = z.object({
  at: z.string(),
  ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
})

/** One delivery with its newest attempts. */
export const WebhookDelivery = z.object({
  id: Id,
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  state: z.enum(['waiting', 'arrived', 'failed']),
  created_at: z.string(),
  /** Time of the next attempt. */
  next_at: z.nullable(z.string()),
  attempts: z.array(WebhookAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/webhooks/:webhookId/deliveries',
  access: 'user',
  may: 'read webhook',
  summary: 'What a webhook was told in the last thirty days, the newest first, with the attempts',
  params: WebhookParams,
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(WebhookDelivery), has_more: z.boolean() }),
})

export const sendWebhookAgain = route({
  method: 'POST',
  path: '/webhooks/:webhookId/deliveries/:deliveryId/send',
  access: 'user',
  may: 'manage webhook',
  fails: ['conflict'],
  summary: 'Send something once more, under the same id',
  params: z.extend(WebhookParams, { deliveryId: Id }),
  status: 204,
})

/** JSON body of a delivery. The headers hold its id, time and signature (Standard Webhooks). */
export type WebhookMessage = { type: WebhookEvent | 'webhook.tried'; timestamp: string; data: unknown }

/** Maximum length of the stored error of an attempt. */
export const MAX_ERROR_CHARACTERS = 300
