import type { Generated } from 'kysely'
import type { WebhookDelivery, WebhookEvent } from '#shared/api/webhooks/webhooks.ts'
import type { CreatedAt, Json, OptionalTime, Time } from './columns.ts'

/** Webhooks, their deliveries and every attempt. */
export type WebhookTables = {
  webhooks: {
    id: Generated<string>
    user_id: string | null
    company_id: string | null
    name: string
    url: string
    events: WebhookEvent[]
    secret: string
    previous_secret: string | null
    previous_until: OptionalTime
    is_on: Generated<boolean>
    failing_since: OptionalTime
    gave_up_at: OptionalTime
    created_at: CreatedAt
  }
  webhook_deliveries: {
    id: Generated<string>
    webhook_id: string
    type: string
    data: Json<Record<string, unknown>>
    state: Generated<WebhookDelivery['state']>
    tries: Generated<number>
    next_at: OptionalTime
    created_at: CreatedAt
  }
  webhook_attempts: {
    id: Generated<string>
    delivery_id: string
    at: Time
    ms: number
    status: number | null
    error: string | null
  }
}
