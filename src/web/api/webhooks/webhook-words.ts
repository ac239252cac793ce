import type { Webhook, WebhookDelivery } from '#shared/api/webhooks/webhooks.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'

/** Returns the translated name of an event. i18next reads dots as nested keys, so they are replaced. */
export function eventText(t: TFunction, event: string): string {
  return t(`programs:webhooks.event.${event.replace('.', '_') as 'run_finished'}`)
}

/** Returns the state of a webhook and its severity. */
export function stateOf({ is_on, failing_since, gave_up_at }: Webhook) {
  if (!is_on) return gave_up_at ? ('gave_up' as const) : ('off' as const)
  return failing_since ? ('failing' as const) : ('on' as const)
}

export const momentText = (time: string) => formatDate(time, { dateStyle: 'medium', timeStyle: 'short' })

/** Describes the result of the latest attempt, or the time of the next one. */
export function outcomeText(t: TFunction, { attempts, state, next_at }: WebhookDelivery): string {
  const [last] = attempts
  if (!last) return t('programs:webhooks.history.soon')
  const answer =
    last.status === null ? last.error : t('programs:webhooks.history.status', { status: last.status })
  const next =
    state === 'waiting' && next_at && t('programs:webhooks.history.next', { time: momentText(next_at) })
  return [answer, next].filter(Boolean).join(' · ')
}
