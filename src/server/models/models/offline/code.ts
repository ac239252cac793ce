import * as z from 'zod'
import type { Language } from '#shared/platform/primitives.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import { say } from './phrases.ts'

const Named = z.array(z.object({ name: z.string() }))
const Ran = z.object({
  plan: z.array(z.string()),
  logs: z.string(),
  artifacts: Named,
  generated_files: Named,
  error: z.nullable(z.string()),
})

/** Characters of a program's output in the reply. Its card shows the whole output. */
const TOLD = 2_000

/** Describes what a program printed and created. Returns null when the value is not a result of the code interpreter. */
export function describeCode(value: string, language: Language): string | null {
  const { error, logs, artifacts, generated_files } = Ran.safeParse(parseJson(value)).data ?? {}
  if (logs === undefined || error === undefined) return null
  const output = lastOutput(logs)
  const made = [...(artifacts ?? []), ...(generated_files ?? [])].map(({ name }) => name).join(', ')
  return [
    error !== null && say(language, 'code_failed', error),
    output === ''
      ? error === null && say(language, 'code_silent')
      : `${say(language, 'code')}\n\n${fence(output)}`,
    made !== '' && say(language, 'code_made', made),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Returns the last output. Output is indented below its line (`tools/code_interpreter/rounds.ts`). */
function lastOutput(logs: string): string {
  const lines = logs.split('\n')
  const rest = lines.slice(lines.lastIndexOf('Output:') + 1)
  if (rest.length === lines.length) return ''
  const end = rest.findIndex((line) => !line.startsWith('    '))
  const output = rest.slice(0, end < 0 ? undefined : end).map((line) => line.slice(4))
  return output.join('\n').slice(0, TOLD).toWellFormed().trimEnd()
}

/** Returns a text in a fence longer than any fence inside it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}text\n${text}\n${ticks}`
}
