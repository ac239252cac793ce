import type { ChatMessage } from '../chat/message-store.ts'

/** Measured heights of rows by message key, for one column width. */
const measured = new Map<string, number>()
let measuredWidth = 0

/** Stores the height of a row. Heights of another width are dropped. */
export function keepHeight(key: string, height: number, width: number): void {
  if (width !== measuredWidth) {
    measured.clear()
    measuredWidth = width
  }
  if (height > 0) measured.set(key, height)
}

/** Returns the height of a row: as measured, otherwise estimated from its text. */
export function guessHeight(message: ChatMessage | undefined): number {
  if (!message) return 80
  const known = measured.get(message.key)
  if (known !== undefined) return known
  const { content, role, blocks } = message
  if (role === 'user') return 96 + Math.ceil(content.length / 64) * 25
  let lines = 0
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lines += 1
  return 72 + Math.ceil(content.length / 88) * 26 + lines * 12 + blocks.length * 24
}
