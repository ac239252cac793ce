/** What one step of a task came to. */
export type HandedResult = { number: number; task: string; text: string }
/** A task in the middle of being done: what is known so far, and the step to do now, or null to write the answer. */
export type Handover = { results: HandedResult[]; step: { number: number; task: string } | null }

/** A handover as text for a model, behind what the person asked. `readHandover` is its inverse. */
export function writeHandover({ results, step }: Handover): string {
  const told = results.map(
    ({ number, task, text }) =>
      `<result step="${number}" task="${task.replaceAll('"', "'")}">\n${text}\n</result>`,
  )
  const known = told.length > 0 || !step ? [`<results>\n${told.join('\n')}\n</results>`] : []
  return [...known, ...(step ? [`<step number="${step.number}">${step.task}</step>`] : [])].join('\n')
}

/** The handover in a text, or null when there is none; for the built-in model, which must find its way by rules. */
export function readHandover(text: string): Handover | null {
  // A part of a task may be planned again: the handover that counts is the last one.
  const knownAt = text.lastIndexOf('<results>\n')
  const stepAt = text.lastIndexOf('<step number="')
  const step = stepAt > knownAt ? /<step number="(\d+)">([\s\S]*)<\/step>/.exec(text.slice(stepAt)) : null
  const known = knownAt >= 0 ? /<results>\n([\s\S]*)\n<\/results>/.exec(text.slice(knownAt)) : null
  if (!step && !known) return null
  const told = (known?.[1] ?? '').matchAll(/<result step="(\d+)" task="([^"]*)">\n([\s\S]*?)\n<\/result>/g)
  const results = [...told].map(([, number, task = '', result = '']) => ({
    ...{ number: Number(number), task, text: result },
  }))
  return { results, step: step ? { number: Number(step[1]), task: step[2] ?? '' } : null }
}
