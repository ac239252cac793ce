/** Marks models put around their thoughts when their server does not take them apart. */
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
/** Closing marks that say without an opening one that all before them was thought. */
const LONE_CLOSINGS = ['</think>', '</thinking>', '</seed:think>', '◁/think▷']
/** Marks before the answer of gpt-oss. */
const SEPARATORS = ['<|channel|>final<|message|>', '<|start|>assistant<|channel|>final<|message|>']
const LONGEST = Math.max(...[...OPENINGS, ...CLOSINGS].map(({ length }) => length))

export type Spoken =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'rethought' }

/**
 * Takes thoughts apart from the answer while it comes. Thoughts stand at its beginning; a mark later in the text is text,
 * such as in code that is about them. `startsInThought`: the model marks only their end.
 */
export function createThoughtSplitter(startsInThought: boolean) {
  let state: 'start' | 'thought' | 'text' = startsInThought ? 'thought' : 'start'
  let closing = startsInThought ? '</think>' : ''
  /** What was said so far by a model of which only the end of its thoughts is marked. */
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
    /** What was held back. A model that was said to begin in thought and never ended one has answered instead. */
    end: (): Spoken[] => {
      const rest = held
      held = ''
      if (startsInThought && !isAfterThought) return unmarked ? [{ type: 'text', text: unmarked }] : []
      if (!rest) return []
      return [{ type: state === 'thought' ? 'reasoning' : 'text', text: rest }]
    },
    /** All marks were of the model's own: the thoughts began without one. */
    startedInThought: () => hasLoneClosing,
  }
}

/** Within backticks a mark is an example of one. */
const countTicks = (text: string) => text.split('`').length - 1

/** How much of the end of a text may be the beginning of one of the marks. */
function overlap(text: string, marks: readonly string[]): number {
  for (let length = Math.min(LONGEST, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length
  }
  return 0
}
