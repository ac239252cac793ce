import type { Waiting } from '#shared/runs/runs/view.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'

/** Returns the sentence that says why the model has not begun to answer. */
export function sayWaiting(t: TFunction, waiting: Waiting): string {
  switch (waiting.of) {
    case 'model':
      return t('streaming_blocks:waiting_for_model')
    case 'turn':
      return t('streaming_blocks:waiting_for_turn', {
        count: waiting.ahead,
        number: formatNumber(waiting.ahead),
      })
    default:
      return t(`streaming_blocks:waiting_for_room.${waiting.of}`, {
        count: waiting.per_minute,
        number: formatNumber(waiting.per_minute),
      })
  }
}
