import { MAX_MESSAGES_IN_TOTAL, MAX_MESSAGES_PER_SECOND } from '#shared/tools/tool-interfaces/messages.ts'

/**
 * Returns a rate limiter for messages from an interface, applied before they are parsed. It returns false once the limit
 * is exceeded. `now` is in milliseconds.
 */
export function createGate(): (now: number) => boolean {
  let inAll = 0
  let inSecond = 0
  let since = Number.NEGATIVE_INFINITY
  return (now) => {
    if (now - since >= 1000) {
      since = now
      inSecond = 0
    }
    inAll += 1
    inSecond += 1
    return inAll <= MAX_MESSAGES_IN_TOTAL && inSecond <= MAX_MESSAGES_PER_SECOND
  }
}

/** Returns a rate limiter for calls per minute. */
export function createTurnstile(most: number): (now: number) => boolean {
  let passed: number[] = []
  return (now) => {
    passed = passed.filter((at) => now - at < 60_000)
    if (passed.length >= most) return false
    passed.push(now)
    return true
  }
}
