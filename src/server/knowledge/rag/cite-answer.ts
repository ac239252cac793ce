import { createCiter } from '#shared/platform/citations/citer.ts'
import { NOT_IN_DOCUMENTS } from '../../models/models/evidence.ts'

/** What becomes of an answer while it is said. */
export type CitedAnswer = {
  /** Takes what the model says and gives what is shown of it. */
  push(delta: string): string
  end(): string
  /** False once the model said that the documents do not have it. */
  isAnswered(): boolean
  /** Ids of cited passages, in the order of their numbers; those of `before` come first. */
  cited(): string[]
}

type Given = {
  /** Ids of the passages, in the order of the numbers the model knows them by; null for one that was withdrawn. */
  passages: readonly (string | null)[]
  /** Passages the message has cited already. */
  before?: readonly string[]
  /** The marker of what is cited; of a passage without it. */
  tag?: (id: string, number: number) => string
  /** What is said in place of the model when the documents do not have it. */
  absent: string
}

/** Reads markers, and what stands for an answer that is not there, out of what a model says, however it is cut. */
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
      // Behind an answer it means nothing.
      shown += show(ahead)
    }
    const ready = held.slice(0, held.length - (isEnd ? 0 : overlap(held)))
    // What stands before the first word may be no more than the emphasis of that word.
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

/** How many of the last characters may become the word for no answer. */
function overlap(text: string): number {
  for (let length = Math.min(text.length, NOT_IN_DOCUMENTS.length - 1); length > 0; length -= 1)
    if (text.endsWith(NOT_IN_DOCUMENTS.slice(0, length))) return length
  return 0
}
