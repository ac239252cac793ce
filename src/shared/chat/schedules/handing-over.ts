import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, MESSAGE_BODY_BYTES, Notice, queryInt, trimmed } from '../../platform/primitives.ts'
import { InputRequiredBlock } from '../../runs/runs/blocks.ts'
import { InputType } from '../../runs/runs/request.ts'

export const offerSchedule = route({
  method: 'POST',
  path: '/schedules/:scheduleId/transfer',
  access: 'user',
  fails: ['forbidden', 'not_found'],
  may: 'manage schedule',
  summary: 'Offer a schedule to a colleague; null takes the offer back',
  params: z.object({ scheduleId: Id }),
  body: z.object({ user_id: z.nullable(Id) }),
  answer: Notice,
})

export const answerOffer = route({
  method: 'POST',
  path: '/offered-schedules/:offeredScheduleId',
  access: 'user',
  may: 'manage offered-schedule',
  summary: 'Accept an offered schedule, which then belongs to the caller and is paused, or decline it',
  params: z.object({ offeredScheduleId: Id }),
  body: z.object({ accept: z.boolean() }),
  answer: Notice,
})

export const Colleague = z.object({ id: Id, name: z.string() })
export type Colleague = z.infer<typeof Colleague>

export const findColleagues = route({
  method: 'GET',
  path: '/colleagues',
  access: 'user',
  summary:
    'People of the companies of the caller, by name: those who may be a deputy or take over a schedule',
  query: z.object({
    q: z.optional(trimmed(0, 100)),
    limit: queryInt({ min: 1, max: 50, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(Colleague) }),
})

/** A question of a run, without the chat that led to it. */
export const DeputyQuestion = z.object({
  slot_id: Id,
  schedule_name: z.string(),
  owner_name: z.string(),
  asked_at: z.string(),
  /** When the run ends without an answer. */
  skip_at: z.nullable(z.string()),
  request: InputRequiredBlock,
})
export type DeputyQuestion = z.infer<typeof DeputyQuestion>

export const listDeputyQuestions = route({
  method: 'GET',
  path: '/deputy-questions',
  access: 'user',
  summary: 'Questions of scheduled runs that the caller is asked as a deputy, the oldest first',
  query: z.object({ limit: queryInt({ min: 1, max: 100, fallback: 50 }) }),
  answer: z.object({ items: z.array(DeputyQuestion) }),
})

export const answerDeputyQuestion = route({
  method: 'POST',
  path: '/deputy-questions/:deputySlotId',
  access: 'user',
  fails: ['conflict', 'already_answered', 'deadline_passed', 'no_answer'],
  may: 'write deputy-question',
  bodyLimit: MESSAGE_BODY_BYTES,
  summary: 'Answer a question of a scheduled run as a deputy; the run goes on',
  params: z.object({ deputySlotId: Id }),
  body: z.object({ input: z.unknown(), input_type: InputType }),
  answer: Notice,
})
