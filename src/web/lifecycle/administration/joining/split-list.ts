/** Splits text at commas, semicolons and whitespace. Returns unique lower-case items. */
export function splitList(typed: string): string[] {
  const found = typed
    .toLowerCase()
    .split(/[\s,;]/)
    .filter((word) => word !== '')
  return [...new Set(found)]
}
