/** What a session id looks like, for those who typed something else. */
export const EXAMPLE_ID = '123e4567-e89b-12d3-a456-426614174000'

/** What is wrong with a session id that was typed; null when nothing is. */
export function findIdTrouble(id: string): 'empty' | 'invalid' | null {
  if (id.trim() === '') return 'empty'
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id.trim()) ? null : 'invalid'
}
