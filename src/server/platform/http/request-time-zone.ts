import { TimeZone } from '#shared/platform/primitives.ts'

/** Returns a header's time zone, or null for a name this runtime does not know. */
export function readTimeZone(header: string | string[] | undefined): string | null {
  const { data } = TimeZone.safeParse(header)
  if (data === undefined) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: data }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
