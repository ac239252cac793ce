import * as z from 'zod/mini'
import { Id } from '../../platform/primitives.ts'

/** Days that ended slots are stored. The latest one of each schedule stays. */
export const SLOT_DAYS = 365

/** Why a slot failed or was left out: a code, and the name of the thing that is missing. */
export const SlotReason = z.object({
  code: z.string(),
  name: z.optional(z.nullable(z.string())),
  detail: z.optional(z.nullable(z.string())),
})
export type SlotReason = z.infer<typeof SlotReason>

export const slotStates = [
  ...(['planned', 'waiting', 'running', 'asking', 'completed'] as const),
  ...(['failed', 'stopped', 'missed', 'skipped'] as const),
] as const
export const SlotState = z.enum(slotStates)
export type SlotState = z.infer<typeof SlotState>

/** One time at which a schedule was or is due. */
export const Slot = z.object({
  id: Id,
  due_at: z.string(),
  /** True when a person asked for this run. */
  by_hand: z.boolean(),
  /** The delivery that started it; null for runs of a time or a person. */
  delivery_id: z.nullable(Id),
  state: SlotState,
  reason: z.nullable(SlotReason),
  started_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
  /** Dollars; null before the end. */
  cost: z.nullable(z.number()),
  /** Beginning of the reply; null when its chat does not exist or is in the trash. */
  result: z.nullable(z.string()),
  /** True when the result was that of the previous run. */
  is_same: z.boolean(),
  /** Chat of the result; null when it does not exist or is in the trash. */
  session_id: z.nullable(Id),
  /** While it asks: when the deputy is asked, and when it is skipped. */
  deputy_at: z.nullable(z.string()),
  skip_at: z.nullable(z.string()),
})
export type Slot = z.infer<typeof Slot>
