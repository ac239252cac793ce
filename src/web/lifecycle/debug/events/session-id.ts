/** Example of a session id, shown after invalid input. */
export const EXAMPLE_ID = '123e4567-e89b-12d3-a456-426614174000'

/** Returns the problem with a typed session id; null when it is valid. */
export function findIdTrouble(id: string): 'empty' | 'invalid' | null {
  if (id.trim() === '') return 'empty'
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id.trim()) ? null : 'invalid'
}
