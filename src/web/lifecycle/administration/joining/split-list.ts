/** What was typed one after the other, separated by commas, semicolons, spaces or lines; each once, in lower case. */
export function splitList(typed: string): string[] {
  const found = typed
    .toLowerCase()
    .split(/[\s,;]/)
    .filter((word) => word !== '')
  return [...new Set(found)]
}
