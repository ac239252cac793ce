import type { TFunction } from 'i18next'
import type { Fallback } from '#shared/runs/runs/blocks.ts'

/** Which model answered in place of which one, and why, in the person's language. */
export function fallbackText(t: TFunction, { asked, answered, reason }: Fallback): string {
  return t(`common:answered_instead.${reason}`, { answered: answered.name, asked: asked.name })
}
