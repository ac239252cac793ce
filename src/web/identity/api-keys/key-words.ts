import type { Scope } from '#shared/platform/http.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'

/** What a key may be used for, as people say it. */
export function scopeText(t: TFunction, scope: Scope): string {
  return t(`programs:keys.scope.${wordOf(scope)}`)
}

/** What that means. */
export function scopeDescription(t: TFunction, scope: Scope): string {
  return t(`programs:keys.scope_text.${wordOf(scope)}`)
}

/** Days until a time, begun ones as whole; 0 or less when it is past. */
export function daysUntil(time: string, now: Date): number {
  return Math.ceil((Date.parse(time) - now.getTime()) / 86_400_000)
}

/** A dot would name a text inside a text. */
const wordOf = (scope: Scope) => scope.replace('.', '_')
