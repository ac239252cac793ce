import type { AuditChange } from '#shared/identity/audit/audit.ts'

/** Returns the differences between two states. */
export function changesBetween(
  before: Readonly<Record<string, string | null>>,
  after: Readonly<Record<string, string | null | undefined>>,
): AuditChange[] {
  return Object.entries(after).flatMap(([what, value]) =>
    value === undefined || value === before[what]
      ? []
      : [{ what, before: before[what] ?? null, after: value }],
  )
}
