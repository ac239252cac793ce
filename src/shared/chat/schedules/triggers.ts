import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, record } from '../../platform/primitives.ts'
import { Slot, SlotState } from './slots.ts'

/** Hours that a replaced secret stays valid alongside the new one. */
export const OVERLAP_HOURS = 24
/** Maximum age of a call in seconds. */
export const MAX_CALL_AGE_S = 300
/** Calls of one schedule per hour. */
export const MAX_DELIVERIES_PER_HOUR = 60
/** Days that deliveries are stored. */
export const DELIVERY_DAYS = 30
/** Refused calls of one schedule that are stored. */
export const MAX_REFUSED = 100
/** Maximum seconds that a call waits for its result. */
export const MAX_WAIT_S = 60

export const DeliveryKind = z.enum(['call', 'test', 'replay', 'document', 'run', 'mail'])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/** An event that reached a schedule: it started a run, or was refused. */
export const Delivery = z.object({
  id: Id,
  kind: DeliveryKind,
  /** Id that the caller gave it, or the Message-ID of a mail. The same id starts one run. */
  foreign_id: z.string(),
  received_at: z.string(),
  /** HTTP status of the answer. 202: it started a run. */
  status: z.int(),
  /** Why it was refused. */
  detail: z.nullable(z.string()),
  /** How often it came again and was answered with the first run. */
  repeats: z.int(),
  /** The secret that signed it. */
  signed_by: z.nullable(z.enum(['present', 'previous'])),
  replay_of: z.nullable(Id),
  /** Name of the document, of the chat of the run, or subject of the mail; null when it may not be read. */
  about: z.nullable(z.string()),
  /** The run it started; null when it was refused, or the run left the log. */
  run: z.nullable(Slot),
})
export type Delivery = z.infer<typeof Delivery>

/** A delivery with what was sent. Secrets are masked. */
export const WholeDelivery = z.extend(Delivery, {
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
  /** Names in the body that are no fields of the schedule. They did not reach the model. */
  ignored: z.array(z.string()),
})
export type WholeDelivery = z.infer<typeof WholeDelivery>

/** Answer to a call. */
export const CallAnswer = z.object({
  delivery_id: Id,
  /** Id of the run in the log of the schedule. */
  run_id: z.nullable(Id),
  /** True when this id was delivered before. */
  is_repeated: z.boolean(),
  state: z.nullable(SlotState),
  /** Reply of the run, once it has completed. */
  result: z.nullable(z.string()),
})
export type CallAnswer = z.infer<typeof CallAnswer>

/** Top-level values become the texts of the fields of their names. */
export const CallData = record(1_000, z.unknown())
export type CallData = z.infer<typeof CallData>

/** Each call carries the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks 1.0). */
export const callTrigger = route({
  method: 'POST',
  path: '/triggers/:triggerId/deliveries',
  access: 'public',
  may: null,
  fails: ['wrong_credentials', 'conflict', 'too_large'],
  summary: 'Start a schedule by a signed call. The same `webhook-id` starts it once',
  description:
    'The call is signed as in Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and `webhook-signature`. The top-level values of the body fill in the fields of the prompt. With `wait`, the answer comes after the run, or after that many seconds.',
  params: z.object({ triggerId: Id }),
  query: z.object({ wait: queryInt({ min: 0, max: MAX_WAIT_S, fallback: 0 }) }),
  body: CallData,
  status: 202,
  alsoStatus: [200],
  answer: CallAnswer,
})

const params = z.object({ scheduleId: Id })
const deliveryParams = z.extend(params, { triggerDeliveryId: Id })
const mine = { access: 'user', scope: 'assistants' } as const

export const TriggerSecret = z.object({
  /** When the present secret was made; null without one. */
  created_at: z.nullable(z.string()),
  /** Until then the previous secret is valid too. */
  previous_until: z.nullable(z.string()),
})
export type TriggerSecret = z.infer<typeof TriggerSecret>

export const getTriggerSecret = route({
  ...mine,
  method: 'GET',
  path: '/schedules/:scheduleId/secret',
  may: 'read schedule',
  summary: 'When the secret for calls of a schedule was made, without the secret',
  params,
  answer: TriggerSecret,
})

export const renewTriggerSecret = route({
  method: 'POST',
  path: '/schedules/:scheduleId/secret',
  access: 'user',
  may: 'manage schedule',
  summary: 'A new secret for calls of a schedule, answered this once',
  params,
  body: z.object({
    /** Lets the secret so far stay valid for a day. */
    keeps_previous: z._default(z.boolean(), true),
  }),
  answer: z.extend(TriggerSecret, { secret: z.string() }),
})

export const listDeliveries = route({
  ...mine,
  method: 'GET',
  path: '/schedules/:scheduleId/deliveries',
  may: 'read schedule',
  summary: 'The deliveries to a schedule in the last 30 days, the newest first',
  params,
  query: z.object({
    outcome: z._default(z.enum(['all', 'started', 'refused']), 'all'),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({
    items: z.array(Delivery),
    total: z.int(),
    /** Number of deliveries of each outcome. */
    started: z.int(),
    refused: z.int(),
  }),
})

export const getDelivery = route({
  ...mine,
  method: 'GET',
  path: '/schedules/:scheduleId/deliveries/:triggerDeliveryId',
  may: 'read schedule',
  fails: ['not_found'],
  summary: 'One delivery with its headers and its body. Secrets are masked',
  params: deliveryParams,
  answer: WholeDelivery,
})

export const testTrigger = route({
  ...mine,
  method: 'POST',
  path: '/schedules/:scheduleId/deliveries',
  may: 'write schedule',
  fails: ['conflict'],
  summary: 'Start a schedule as a call would, to test it. The same `client_id` starts it once',
  status: 202,
  params,
  body: z.object({ client_id: Id, data: CallData }),
  answer: Delivery,
})

export const replayDelivery = route({
  ...mine,
  method: 'POST',
  path: '/schedules/:scheduleId/deliveries/:triggerDeliveryId/replay',
  may: 'write schedule',
  fails: ['conflict', 'not_found'],
  summary: 'Deliver something once more under a new id. It is marked as a replay',
  status: 202,
  params: deliveryParams,
  body: z.object({ client_id: Id }),
  answer: Delivery,
})
