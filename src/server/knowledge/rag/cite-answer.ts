import { createCiter } from '#shared/platform/citations/citer.ts'
import { NOT_IN_DOCUMENTS } from '../../models/models/evidence.ts'

/** Turns streamed model output into a cited answer. */
export type CitedAnswer = {
  /** Takes a piece of model output and returns the text to show. */
  push(delta: string): string
  end(): string
  /** False once the model reported that the documents have no answer. */
  isAnswered(): boolean
  /** Ids of cited passages, by number; those of `before` come first. */
  cited(): string[]
}

type Given = {
  /** Ids of the passages by their numbers in the prompt; null for a withdrawn passage. */
  passages: readonly (string | null)[]
  /** Passages that the message has already cited. */
  before?: readonly string[]
  /** Formats a citation; the default is a citation tag. */
  tag?: (id: string, number: number) => string
  /** Replaces the model's answer when the documents have none. */
  absent: string
}

/** Replaces passage numbers and the `NOT_IN_DOCUMENTS` marker in streamed output, also when a chunk splits them. */
export function citeAnswer({ passages, absent, ...how }: Given): CitedAnswer {
  const citer = createCiter(passages, how)
  let held = ''
  let hasText = false
  let isAnswered = true

  const show = (text: string): string => {
    if (LETTER.test(text)) hasText = true
    return citer.push(text)
  }
  const work = (isEnd: boolean): string => {
    let shown = ''
    for (;;) {
      const at = held.indexOf(NOT_IN_DOCUMENTS)
      if (at < 0) break
      const ahead = held.slice(0, at)
      held = held.slice(at + NOT_IN_DOCUMENTS.length)
      if (!hasText && !LETTER.test(ahead)) {
        isAnswered = false
        return absent
      }
      // After an answer the marker means nothing.
      shown += show(ahead)
    }
    const ready = held.slice(0, held.length - (isEnd ? 0 : overlap(held)))
    // Text before the first word may only be its emphasis.
    if (!isEnd && !hasText && !LETTER.test(ready)) return shown
    held = held.slice(ready.length)
    return shown + show(ready)
  }
  return {
    push: (delta) => {
      if (!isAnswered) return ''
      held += delta
      return work(false)
    },
    end: () => {
      if (!isAnswered) return ''
      const last = work(true)
      return isAnswered ? last + citer.end() : last
    },
    isAnswered: () => isAnswered,
    cited: () => [...citer.cited()].sort(([, a], [, b]) => a - b).map(([id]) => id),
  }
}

const LETTER = /[\p{L}\p{N}]/u

/** Returns the length of the text's end that may be the start of `NOT_IN_DOCUMENTS`. */
function overlap(text: string): number {
  for (let length = Math.min(text.length, NOT_IN_DOCUMENTS.length - 1); length > 0; length -= 1)
    if (text.endsWith(NOT_IN_DOCUMENTS.slice(0, length))) return length
  return 0
}
