/** The result of one step of a task. */
export type HandedResult = { number: number; task: string; text: string }
/** A task in progress: the results so far, and the step to do now, or null to write the answer. */
export type Handover = { results: HandedResult[]; step: { number: number; task: string } | null }

const PART =
  'You do one part of a larger task. Do only what <step> says, and answer with what you found.\nThe whole task, for your information:\n'

/** Writes the question for an assistant that does one part of `asked`. */
export const writePart = (asked: string, handover: Handover): string =>
  `${PART}${asked}\n\n${writeHandover(handover)}`

/** Writes a handover as text for a model, to follow the question. `readHandover` is its inverse. */
export function writeHandover({ results, step }: Handover): string {
  const told = results.map(
    ({ number, task, text }) =>
      `<result step="${number}" task="${task.replaceAll('"', "'")}">\n${text}\n</result>`,
  )
  const known = told.length > 0 || !step ? [`<results>\n${told.join('\n')}\n</results>`] : []
  return [...known, ...(step ? [`<step number="${step.number}">${step.task}</step>`] : [])].join('\n')
}

/**
 * Returns the handover in a text and the question before it, or null when there is none. For the built-in model, which works by
 * rules.
 */
export function readHandover(text: string): (Handover & { asked: string }) | null {
  // A part of a task may be planned again, so the last handover counts.
  const knownAt = text.lastIndexOf('<results>\n')
  const stepAt = text.lastIndexOf('<step number="')
  const step = stepAt > knownAt ? readStep(text.slice(stepAt)) : null
  const from = knownAt + '<results>\n'.length
  const to = text.lastIndexOf('\n</results>')
  const isKnown = knownAt >= 0 && to >= from
  if (!step && !isKnown) return null
  const asked = text.slice(text.startsWith(PART) ? PART.length : 0, isKnown ? knownAt : stepAt)
  return { asked: asked.trim(), results: isKnown ? readResults(text.slice(from, to)) : [], step }
}

function readStep(text: string): Handover['step'] {
  const end = text.lastIndexOf('</step>')
  const opening = /^<step number="(\d+)">/.exec(text)
  return opening && end > 0 ? { number: Number(opening[1]), task: text.slice(opening[0].length, end) } : null
}

/** No result follows the last end tag, and the text between two end tags holds at most one. */
function readResults(known: string): HandedResult[] {
  const texts = known.split('\n</result>').slice(0, -1)
  return texts.flatMap((text) => {
    const opening = /<result step="(\d+)" task="([^"]*)">\n/.exec(text)
    if (!opening) return []
    const [all, number, task = ''] = opening
    return [{ number: Number(number), task, text: text.slice(opening.index + all.length) }]
  })
}
