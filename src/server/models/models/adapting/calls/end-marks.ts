/** Marks of the end of a turn in chat templates. Servers with a wrong template send them as text. */
const ENDS = [
  ...['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>', '<|end|>', '<|return|>'],
  ...['<end_of_turn>', '<|END_OF_TURN_TOKEN|>', '<|end_of_turn|>', '<|eos|>', '<eos>', '<|eot|>', '<|eom|>'],
  ...['<turn|>', '<｜end▁of▁sentence｜>', '<|END_RESPONSE|>', '<|end_of_solution|>', '<|end_of_box|>'],
  ...['<|im_sep|>', '<|role_end|>'],
  // The beginning of the next turn.
  ...['<|im_start|>', '<|user|>', '<|observation|>', '<start_of_turn>'],
  ...['<|im_start|>assistant', '<|im_start|>user', '<|start_header_id|>assistant', '<|end_header_id|>'],
  '<|start_header_id|>assistant<|end_header_id|>',
]
/** Marks that are elements as well. They close one that the text opened. */
const CLOSINGS: Record<string, string> = {
  '</s>': '<s>',
  '</answer>': '<answer>',
  '</response>': '<response>',
}
const MARKS = [...ENDS, ...Object.keys(CLOSINGS)]
const LONGEST_OPENING = Math.max(...Object.values(CLOSINGS).map(({ length }) => length))
const LONGEST = Math.max(...MARKS.map(({ length }) => length))

/**
 * Removes marks at the very end of a streamed text. A mark is text when words follow it, within code, or when it closes an element.
 * `push` returns the text to show, `end` the text that was held back.
 */
export function createEndTrimmer() {
  let held = ''
  let ticks = 0
  /** The end of the text so far, which may begin an element. */
  let last = ''
  const opened = new Set<string>()
  const countTicks = (text: string): string => {
    if (text.includes('`')) ticks += text.split('`').length - 1
    return text
  }
  const pass = (text: string): string => {
    const whole = last + text
    for (const opening of Object.values(CLOSINGS)) if (whole.includes(opening)) opened.add(opening)
    const at = whole.lastIndexOf('<')
    last = at >= 0 && whole.length - at < LONGEST_OPENING ? whole.slice(at) : ''
    return countTicks(text)
  }
  const isMark = (text: string): boolean =>
    ticks % 2 === 0 && MARKS.includes(text) && !opened.has(CLOSINGS[text] ?? '')
  return {
    push: (text: string): string => {
      if (held === '' && last === '' && !text.includes('<')) return countTicks(text)
      held += text
      const safe = held.length - openEnd(held)
      const shown = pass(held.slice(0, safe))
      held = held.slice(safe)
      return shown
    },
    end: (): string => {
      const marks = held.split(/\s+|(?<=>)(?=<)/).filter(Boolean)
      const rest = marks.every(isMark) ? '' : held
      held = ''
      return rest
    },
  }
}

/** Returns the length of the end of a text that may be marks, separated by blanks, the last of them incomplete. */
function openEnd(text: string): number {
  let at = text.length
  for (;;) {
    const start = text.lastIndexOf('<', at - 1)
    if (start < 0 || at - start > LONGEST + 8) return text.length - at
    const part = text.slice(start, at).trimEnd()
    const isLast = at === text.length
    if (!MARKS.some((mark) => mark === part || (isLast && mark.startsWith(part)))) return text.length - at
    at = start
  }
}
