import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './principal.ts'

type Column = (name: string) => RawBuilder<unknown>

/** Table of each thing of schedules. */
export const scheduleTables = {
  schedule: 'schedules',
  'offered-schedule': 'schedules',
  'member-schedule': 'schedules',
  'deputy-question': 'slots',
} as const

/** A schedule that its owner offers to the principal, while both are colleagues. */
export function isOfferedTo(principal: Principal, column: Column): RawBuilder<boolean> {
  if (principal.kind !== 'user') return sql<boolean>`false`
  return sql<boolean>`(${column('transfer_to')} is not distinct from ${principal.id}::uuid and exists (
    select from company_members giver join company_members taker on taker.company_id = giver.company_id
    where giver.user_id = ${column('user_id')} and taker.user_id = ${principal.id}))`
}

/** The deputy of a schedule, once the run of a slot has asked them, while owner and deputy are colleagues. */
export function mayAnswerAsDeputy(principal: Principal, column: Column): RawBuilder<boolean> {
  if (principal.kind !== 'user') return sql<boolean>`false`
  return sql<boolean>`(${column('deputy_asked_at')} is not null and exists (select from schedules asking
    join company_members boss on boss.user_id = asking.user_id
    join company_members deputy on deputy.company_id = boss.company_id and deputy.user_id = asking.deputy_id
    where asking.id = ${column('schedule_id')} and asking.deputy_id = ${principal.id}))`
}
