/** Returns the name of an export file: title, date and a random part. */
export function fileName(title: string, now: Date, ending: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .toWellFormed()
  const chance = Math.random().toString(36).slice(2, 6).padEnd(4, '0')
  return `${words || 'chat'}-${now.toISOString().slice(0, 10)}-${chance}.${ending}`
}
