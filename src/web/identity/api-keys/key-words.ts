import type { Scope } from '#shared/platform/http.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'

/** Returns the translated name of a scope. */
export function scopeText(t: TFunction, scope: Scope): string {
  return t(`programs:keys.scope.${wordOf(scope)}`)
}

/** Returns the translated description of a scope. */
export function scopeDescription(t: TFunction, scope: Scope): string {
  return t(`programs:keys.scope_text.${wordOf(scope)}`)
}

/** Returns the days until a time, rounded up; 0 or less when it is past. */
export function daysUntil(time: string, now: Date): number {
  return Math.ceil((Date.parse(time) - now.getTime()) / 86_400_000)
}

/** Replaces the dot, which i18next reads as a nested key. */
const wordOf = (scope: Scope) => scope.replace('.', '_')
