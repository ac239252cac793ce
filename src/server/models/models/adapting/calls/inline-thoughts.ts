import { countTicks } from './code-spans.ts'

type Mark = { open: string; close: string; isLone?: true }
/**
 * Marks that models put around their thoughts, where servers do not separate them. The end of a lone one comes without its beginning
 * too; then all text before it was thought.
 */
const MARKS: Mark[] = [
  ...['think', 'thinking', 'thought', 'thoughts'].flatMap((name) => inEveryCase(name, { isLone: true })),
  ...inEveryCase('reasoning'),
  { open: '[THINK]', close: '[/THINK]', isLone: true },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
  { open: '<|channel|>commentary<|message|>', close: '<|end|>' },
  { open: '<|channel>thought', close: '<channel|>', isLone: true },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>', isLone: true },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
  { open: '<seed:think>', close: '</seed:think>', isLone: true },
  { open: '<mm:think>', close: '</mm:think>', isLone: true },
  { open: '◁think▷', close: '◁/think▷', isLone: true },
]
function inEveryCase(name: string, more: Partial<Mark> = {}): Mark[] {
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return [name, title, name.toUpperCase()].map((one) => ({ open: `<${one}>`, close: `</${one}>`, ...more }))
}
const OPENINGS = MARKS.map(({ open }) => open)
/** Marks of gpt-oss whose special tokens a server removed: `analysisSo it is 4.assistantfinalFour.` */
const BARE_ANALYSIS = { open: 'analysis', close: 'assistantfinal', pattern: /^analysis(?=\p{Lu}|["'“])/u }
const LONE = MARKS.filter(({ isLone }) => isLone)
/** A text with one of these inside is about marks, or quotes them. */
const QUOTED_OPENINGS = LONE.map(({ open }) => open)
const MARKS_IN_TEXT = [...LONE.map(({ close }) => close), ...QUOTED_OPENINGS]
/** Marks of chat templates before an answer. */
const BEFORE_ANSWER = [
  ...['<|channel|>final<|message|>', '<|channel|>final <|constrain|>JSON<|message|>', '<|START_RESPONSE|>'],
  ...['<|begin_of_solution|>', '<|begin_of_box|>', '<|im_start|>assistant', '<bos>', '<|begin_of_text|>'],
  ...['<|start_header_id|>assistant<|end_header_id|>', '<|start|>assistant'],
  '<role>ASSISTANT</role>',
]
/** Marks around an answer after thoughts. */
const AROUND_ANSWER = ['<answer>', '<response>']
const LONGEST = Math.max(...MARKS.flatMap(({ open, close }) => [open.length, close.length]))

export type Spoken =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'rethought' }
  | { type: 'retold' }

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
  /** No later mark is read. */
  let isPlain = false
  let hasLoneClosing = false
  let isExpected = startsInThought

  const isUnmarked = () => isExpected && !isAfterThought
  const enter = (mark: string) => {
    state = 'thought'
    closing = MARKS.find(({ open }) => open === mark)?.close ?? '</think>'
  }
  const readStart = (): Spoken[] => {
    const bare = held.trimStart()
    const separators = isAfterThought ? [...BEFORE_ANSWER, ...AROUND_ANSWER] : BEFORE_ANSWER
    const separator = separators.find((one) => bare.startsWith(one))
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
    if (!isAfterThought && BARE_ANALYSIS.pattern.test(bare)) {
      held = bare.slice(BARE_ANALYSIS.open.length)
      state = 'thought'
      closing = BARE_ANALYSIS.close
      return readThought()
    }
    const openings = [...OPENINGS, ...separators, ...(isAfterThought ? [] : [BARE_ANALYSIS.open])]
    if (bare === '' || openings.some((one) => one.startsWith(bare))) return []
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
    isPlain = true
    return [...(text ? [{ type: 'reasoning' as const, text }] : []), ...readAnswerStart()]
  }
  const readAnswerStart = (): Spoken[] => {
    held = held.trimStart()
    return readStart()
  }
  const readText = (): Spoken[] => {
    const mayMark = !isPlain && /[<[◁]/.test(held)
    const found = mayMark ? findUnquoted(held, ticks) : null
    if (found && QUOTED_OPENINGS.includes(found.mark)) isPlain = true
    else if (found) {
      const { at, mark } = found
      const before = held.slice(0, at)
      held = held.slice(at + mark.length)
      state = 'start'
      isAfterThought = true
      isPlain = true
      hasLoneClosing = true
      return [
        ...(before ? [{ type: 'text' as const, text: before }] : []),
        { type: 'rethought' },
        ...readAnswerStart(),
      ]
    }
    const safe = held.length - (mayMark && !isPlain ? overlap(held, MARKS_IN_TEXT) : 0)
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
      if (isUnmarked()) unmarked += text
      return read()
    },
    /** The server separates thoughts by itself, so that a text without an opening mark is no thought. */
    separated: (): void => {
      if (!isUnmarked() || unmarked !== '') return
      isExpected = false
      state = 'start'
    },
    /** Returns whether a model that marks only the end of its thoughts answered without any. */
    answeredPlainly: () => isUnmarked() && unmarked.trim() !== '',
    /** Returns the text that was held back. A model that should begin in thought but never ended one has answered instead. */
    end: (): Spoken[] => {
      const rest = held
      held = ''
      if (isUnmarked()) return unmarked ? [{ type: 'retold' }, { type: 'text', text: unmarked }] : []
      if (!rest) return []
      return [{ type: state === 'thought' ? 'reasoning' : 'text', text: rest }]
    },
    /** Returns whether the thoughts began without a mark. */
    startedInThought: () => hasLoneClosing,
  }
}

/** Returns the first mark outside of backticks. `ticks` counts those before the text. */
function findUnquoted(text: string, ticks: number): { mark: string; at: number } | null {
  let start = 0
  for (const [index, piece] of text.split('`').entries()) {
    if ((ticks + index) % 2 === 0) {
      const found = MARKS_IN_TEXT.map((mark) => ({ mark, at: piece.indexOf(mark) }))
        .filter(({ at }) => at >= 0)
        .sort((one, other) => one.at - other.at)[0]
      if (found) return { mark: found.mark, at: start + found.at }
    }
    start += piece.length + 1
  }
  return null
}

/** Returns how many characters at the end of a text may begin one of the marks. */
function overlap(text: string, marks: readonly string[]): number {
  for (let length = Math.min(LONGEST, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length
  }
  return 0
}
