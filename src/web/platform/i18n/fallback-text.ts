import type { TFunction } from 'i18next'
import type { Fallback } from '#shared/runs/runs/blocks.ts'

/** Explains in the person's language which model answered instead of which one, and why. */
export function fallbackText(t: TFunction, { asked, answered, reason }: Fallback): string {
  return t(`common:answered_instead.${reason}`, { answered: answered.name, asked: asked.name })
}
