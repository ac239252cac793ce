/** Marks that models put around their thoughts. Some servers do not separate them. */
const OPENINGS = [
  '<think>',
  '<thinking>',
  '<thought>',
  '<reasoning>',
  '[THINK]',
  '<|channel|>analysis<|message|>',
  '<seed:think>',
  '◁think▷',
]
const CLOSINGS = [
  '</think>',
  '</thinking>',
  '</thought>',
  '</reasoning>',
  '[/THINK]',
  '<|end|>',
  '</seed:think>',
  '◁/think▷',
]
/** Closing marks without an opening one. All text before them was thought. */
const LONE_CLOSINGS = ['</think>', '</thinking>', '</seed:think>', '◁/think▷']
/** Marks before the answer of gpt-oss. */
const SEPARATORS = ['<|channel|>final<|message|>', '<|start|>assistant<|channel|>final<|message|>']
const LONGEST = Math.max(...[...OPENINGS, ...CLOSINGS].map(({ length }) => length))

export type Spoken =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'rethought' }

/**
 * Separates thoughts from the answer while it streams. Thoughts are at its beginning; a later mark is text, such as in code about
 * it. `startsInThought` means that the model marks only the end of its thoughts.
 */
export function createThoughtSplitter(startsInThought: boolean) {
  let state: 'start' | 'thought' | 'text' = startsInThought ? 'thought' : 'start'
  let closing = startsInThought ? '</think>' : ''
  /** Text so far of a model that marks only the end of its thoughts. */
  let unmarked = ''
  let ticks = 0
  let held = ''
  let isAfterThought = false
  let hasLoneClosing = false

  const enter = (mark: string) => {
    state = 'thought'
    closing = CLOSINGS[OPENINGS.indexOf(mark)] ?? '</think>'
  }
  const readStart = (): Spoken[] => {
    const bare = held.trimStart()
    const separator = SEPARATORS.find((one) => bare.startsWith(one))
    if (separator) {
      held = bare.slice(separator.length).trimStart()
      return held === '' ? [] : readStart()
    }
    const mark = OPENINGS.find((one) => bare.startsWith(one))
    if (mark) {
      held = bare.slice(mark.length)
      enter(mark)
      return readThought()
    }
    if (bare === '' || [...OPENINGS, ...SEPARATORS].some((one) => one.startsWith(bare))) return []
    state = 'text'
    return readText()
  }
  const readThought = (): Spoken[] => {
    const at = held.indexOf(closing)
    if (at < 0) {
      const safe = held.length - overlap(held, [closing])
      const text = held.slice(0, safe)
      held = held.slice(safe)
      return text ? [{ type: 'reasoning', text }] : []
    }
    const text = held.slice(0, at)
    held = held.slice(at + closing.length)
    state = 'start'
    isAfterThought = true
    return [...(text ? [{ type: 'reasoning' as const, text }] : []), ...readAnswerStart()]
  }
  const readAnswerStart = (): Spoken[] => {
    held = held.trimStart()
    return readStart()
  }
  const readText = (): Spoken[] => {
    const lone = isAfterThought ? undefined : LONE_CLOSINGS.find((one) => held.includes(one))
    if (lone && (ticks + countTicks(held.slice(0, held.indexOf(lone)))) % 2 === 0) {
      const at = held.indexOf(lone)
      const before = held.slice(0, at)
      held = held.slice(at + lone.length)
      state = 'start'
      isAfterThought = true
      hasLoneClosing = true
      return [
        ...(before ? [{ type: 'text' as const, text: before }] : []),
        { type: 'rethought' },
        ...readAnswerStart(),
      ]
    }
    const safe = isAfterThought ? held.length : held.length - overlap(held, LONE_CLOSINGS)
    const text = held.slice(0, safe)
    held = held.slice(safe)
    ticks += countTicks(text)
    return text ? [{ type: 'text', text }] : []
  }
  const read = (): Spoken[] =>
    state === 'start'
      ? isAfterThought
        ? readAnswerStart()
        : readStart()
      : state === 'thought'
        ? readThought()
        : readText()
  return {
    push: (text: string): Spoken[] => {
      held += text
      if (startsInThought && !isAfterThought) unmarked += text
      return read()
    },
    /** Returns the text that was held back. A model that should begin in thought but never ended one has answered instead. */
    end: (): Spoken[] => {
      const rest = held
      held = ''
      if (startsInThought && !isAfterThought) return unmarked ? [{ type: 'text', text: unmarked }] : []
      if (!rest) return []
      return [{ type: state === 'thought' ? 'reasoning' : 'text', text: rest }]
    },
    /** Returns whether the thoughts began without a mark. */
    startedInThought: () => hasLoneClosing,
  }
}

/** A mark within backticks is an example. */
const countTicks = (text: string) => text.split('`').length - 1

/** Returns how many characters at the end of a text may begin one of the marks. */
function overlap(text: string, marks: readonly string[]): number {
  for (let length = Math.min(LONGEST, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length
  }
  return 0
}
