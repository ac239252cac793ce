import type { SlotReason, SlotState } from '#shared/chat/schedules/slots.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import type { Tone } from '../../platform/ui/badge.tsx'

export const slotTones: Record<SlotState, Tone> = {
  planned: 'line',
  waiting: 'warning',
  running: 'accent',
  asking: 'warning',
  completed: 'success',
  failed: 'danger',
  stopped: 'neutral',
  missed: 'warning',
  skipped: 'neutral',
}

const known = [
  ...([
    'withdrawn',
    'downtime',
    'downtime_last',
    'downtime_bound',
    'overlap',
    'unanswered',
    'paused',
  ] as const),
  ...(['stopped', 'handed_over', 'by_owner', 'by_administrator', 'chat_deleted', 'budget_used_up'] as const),
  ...(['project_archived', 'project_deleted', 'terms_due'] as const),
] as const

/** Returns why a slot failed or was left out; null without a reason. */
export function reasonOf(t: TFunction, reason: SlotReason | null): string | null {
  if (!reason) return null
  const code = known.find((one) => one === reason.code)
  if (code) return t(`schedules:reason.${code}`, { name: reason.name ?? '' })
  return reason.detail || t('schedules:reason.other')
}
