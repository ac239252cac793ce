import type { Generated } from 'kysely'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import type { ScheduleSettings } from '#shared/chat/schedules/settings.ts'
import type { SlotReason, SlotState } from '#shared/chat/schedules/slots.ts'
import type { DeliveryKind } from '#shared/chat/schedules/triggers.ts'
import type { CreatedAt, Json, OptionalJson, OptionalTime, ShareColumns, Time } from './columns.ts'

/** Prompts with their versions and shares (migrations 0346, 0461), and schedules with their slots (0390) and deliveries (0430, 0480). */
export type PromptTables = {
  prompts: {
    id: Generated<string>
    user_id: string
    name: string
    command: string
    text: string
    fields: Json<PromptField[]>
    assistant_id: string | null
    model_name: string | null
    tools: OptionalJson
    documents: Json<string[]>
    version: Generated<number>
    created_at: CreatedAt
    updated_at: Time
  }
  prompt_versions: {
    prompt_id: string
    version: number
    saved_by: string | null
    returned_from: number | null
    changed: Json<(keyof PromptContent)[]>
    content: Json<PromptContent>
    created_at: CreatedAt
  }
  prompt_shares: ShareColumns & {
    prompt_id: string
    access: Generated<'use' | 'edit'>
    workspace_id: Generated<string | null>
  }
  schedules: {
    id: Generated<string>
    user_id: string
    kind: 'prompt' | 'reminder'
    rule: Json<Rule>
    anchor_at: Time
    /** When the present rule was chosen. */
    rule_since: CreatedAt
    fields: Json<PromptField[]>
    /** Someone else wrote its text, now or earlier. */
    is_by_others: Generated<boolean>
    things: Json<ScheduleSettings['things']>
    /** The chat of `one_chat`, once it exists. */
    session_id: string | null
    state: Generated<'on' | 'paused' | 'stopped' | 'ended'>
    stopped_for: Json<SlotReason | null>
    failures: Generated<number>
    /** Colleague to whom it is offered. */
    transfer_to: string | null
    /** Slots exist up to this time. */
    planned_until: Time
    /** Dollars of the slots that are no longer in the log. */
    cost_of_removed: Generated<string>
    last_result: string | null
    /** Token of its mail address. */
    mail_token: Generated<string>
    version: Generated<number>
    created_at: CreatedAt
    updated_at: Time
  } & Omit<ScheduleSettings, 'rule' | 'fields' | 'things'>
  slots: {
    id: Generated<string>
    schedule_id: string
    due_at: Time
    origin: Generated<string>
    state: Generated<SlotState>
    reason: Json<SlotReason | null>
    claimed_until: OptionalTime
    session_id: string | null
    message_id: string | null
    run_id: string | null
    started_at: OptionalTime
    ended_at: OptionalTime
    cost: number | null
    result: string | null
    is_same: Generated<boolean>
    deputy_at: OptionalTime
    deputy_asked_at: OptionalTime
    skip_at: OptionalTime
  }
  trigger_secrets: {
    schedule_id: string
    secret: string
    previous_secret: string | null
    previous_until: OptionalTime
    created_at: CreatedAt
  }
  trigger_deliveries: {
    id: Generated<string>
    schedule_id: string
    kind: DeliveryKind
    foreign_id: string
    status: number
    detail: string | null
    headers: Json<Record<string, string>>
    body: string | null
    field_values: Json<Record<string, string>>
    signed_by: 'present' | 'previous' | null
    repeats: Generated<number>
    replay_of: string | null
    document_id: string | null
    run_id: string | null
    chain: Generated<string[]>
    slot_id: string | null
    received_at: CreatedAt
  }
  mail_attachments: {
    schedule_id: string
    foreign_id: string
    place: number
    document_id: string
    created_at: CreatedAt
  }
}
