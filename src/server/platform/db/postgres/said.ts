/**
 * Returns the reason from a PostgreSQL program's output, as one line of at most 300 characters: its first error, or its last
 * line. A full disk is reported in our own words, with what to do.
 */
export function reasonIn(said: string, folder: string): string {
  if (/No space left on device|Disk quota exceeded|File too large/i.test(said))
    return `there is no room left in ${folder}. Free about 200 MB and start again`
  const lines = said.split('\n').map((line) => line.trim())
  const reason = lines.find((line) => /\b(PANIC|FATAL|ERROR|error):/.test(line)) ?? lines.findLast(Boolean)
  return (reason ?? 'it said nothing').replace(/\.$/, '').slice(0, 300)
}
