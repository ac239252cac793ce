/** What one step of a task came to. */
export type HandedResult = { number: number; task: string; text: string }
/** A task in the middle of being done: what is known so far, and the step to do now, or null to write the answer. */
export type Handover = { results: HandedResult[]; step: { number: number; task: string } | null }

const PART =
  'You do one part of a larger task. Do only what <step> says, and answer with what you found.\nThe whole task, for your information:\n'

/** What an assistant is told that does one part of what was `asked`. */
export const writePart = (asked: string, handover: Handover): string =>
  `${PART}${asked}\n\n${writeHandover(handover)}`

/** A handover as text for a model, behind what the person asked. `readHandover` is its inverse. */
export function writeHandover({ results, step }: Handover): string {
  const told = results.map(
    ({ number, task, text }) =>
      `<result step="${number}" task="${task.replaceAll('"', "'")}">\n${text}\n</result>`,
  )
  const known = told.length > 0 || !step ? [`<results>\n${told.join('\n')}\n</results>`] : []
  return [...known, ...(step ? [`<step number="${step.number}">${step.task}</step>`] : [])].join('\n')
}

/**
 * The handover in a text and what the person asked before it, or null when there is none; for the built-in model,
 * which must find its way by rules.
 */
export function readHandover(text: string): (Handover & { asked: string }) | null {
  // A part of a task may be planned again: the handover that counts is the last one.
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

/** Behind the last end there is no result, and what is between two ends holds at most one. */
function readResults(known: string): HandedResult[] {
  const texts = known.split('\n</result>').slice(0, -1)
  return texts.flatMap((text) => {
    const opening = /<result step="(\d+)" task="([^"]*)">\n/.exec(text)
    if (!opening) return []
    const [all, number, task = ''] = opening
    return [{ number: Number(number), task, text: text.slice(opening.index + all.length) }]
  })
}
