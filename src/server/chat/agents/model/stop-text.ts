/** Cuts a streamed text before the first stop sequence. */
type Stopper = {
  /** Returns what may be shown; the start of a possible sequence is held back. */
  push: (text: string) => string
  /** Returns what was held back. */
  end: () => string
}

/** Not every provider takes stop sequences, and one that does has already ended its text. */
export function createStopper(sequences: readonly string[]): Stopper {
  const given = sequences.filter((sequence) => sequence !== '')
  let held = ''
  let isOver = false
  const push = (text: string): string => {
    if (isOver) return ''
    held += text
    const places = given.map((sequence) => held.indexOf(sequence)).filter((place) => place >= 0)
    if (places.length > 0) {
      isOver = true
      const shown = held.slice(0, Math.min(...places))
      held = ''
      return shown
    }
    const shown = held.slice(0, held.length - longestStart(held, given))
    held = held.slice(shown.length)
    return shown
  }
  return {
    push,
    end: () => {
      const rest = held
      held = ''
      return isOver ? '' : rest
    },
  }
}

/** Length of the longest end of a text that is the start of a sequence. */
function longestStart(text: string, sequences: readonly string[]): number {
  const most = Math.min(text.length, Math.max(0, ...sequences.map(({ length }) => length - 1)))
  for (let length = most; length > 0; length -= 1) {
    const end = text.slice(-length)
    if (sequences.some((sequence) => sequence.startsWith(end))) return length
  }
  return 0
}
