/**
 * Returns the key, checked for use in a path or an object name.
 * @throws Error for an absolute key, one with `..`, or one with control characters
 */
export function checkKey(key: string): string {
  const parts = key.split('/')
  const isSafe = parts.every((part) => /^[^\\\p{Cc}]{1,255}$/u.test(part) && part !== '.' && part !== '..')
  if (!isSafe || parts[0] === '.drafts' || key.length > 900) throw new Error(`not a file key: ${key}`)
  return key
}
