import type { Language } from '#shared/platform/primitives.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import type { ToolResultPart } from '../port.ts'
import { describeCode } from './code.ts'
import { joinAnswers } from './join-answers.ts'
import { say, sayFailure } from './phrases.ts'
import { describePictures } from './pictures.ts'
import type { Answer } from './skills/skill.ts'
import { describeWeather, readWeather } from './weather.ts'

/** Returns the value of `{"exact": …}` or `{"result": …}`, otherwise the text. */
export function readResult({ output }: ToolResultPart): string {
  try {
    const { exact, result, error } = JSON.parse(output) as {
      exact?: unknown
      result?: unknown
      error?: unknown
    }
    return String(exact ?? result ?? error ?? output)
  } catch {
    // Failures begin with this word, and the sentence around them already says it.
    return output.replace(/^Error: /, '')
  }
}

/** Tools whose results are answers. */
const answering = ['document_search', 'web_search', 'text_compressor']

/** Returns the answer of such a tool, with its citation markers. */
function readResponse(output: string): string[] {
  const value = parseJson(output)
  if (typeof value !== 'object' || value === null || !('response' in value)) return []
  return [String(value.response)]
}

/** Describes the results of tools in words where possible, otherwise as JSON. */
export function tellResults(results: ToolResultPart[], language: Language): Answer {
  const failed = results.find(({ is_error }) => is_error)
  if (failed) return { text: sayFailure(language, readResult(failed)) }
  const answers = results.flatMap(({ name, output }) =>
    answering.includes(name) ? readResponse(output) : [],
  )
  if (answers.length === results.length) return { text: joinAnswers(answers) }
  const values = results.map(readResult)
  const conditions = values.flatMap((value, at) =>
    results[at]?.name === 'weather' ? readWeather(value) : [],
  )
  if (conditions.length === values.length)
    return { text: conditions.map((weather) => describeWeather(weather, language)).join('\n') }
  if (results.every(({ name }) => name === 'schedule')) return { text: say(language, 'proposed') }
  const programs = results.flatMap(({ name, output }) =>
    name === 'code_interpreter' ? (describeCode(output, language) ?? []) : [],
  )
  if (programs.length === results.length) return { text: programs.join('\n\n') }
  const pictures = results.flatMap(({ name, output }) =>
    name === 'image_generation' ? (describePictures(output, language) ?? []) : [],
  )
  if (pictures.length === results.length) return { text: pictures.join('\n\n') }
  const told = values.map((value) => `\`\`\`json\n${value}\n\`\`\``)
  return { text: [say(language, 'result'), '', ...told].join('\n') }
}
