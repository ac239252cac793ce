import type { ModelTool } from '../port.ts'
import { type Calculation, fillOperand, findCalculations } from './arithmetic.ts'

/** What a tool is asked to do for a text, or null when nothing was recognised. */
export type Intent = { tool: string; input: Record<string, unknown> }

/** Results of the calls already made for this text, as text. */
export function nextIntent(text: string, tools: ModelTool[], results: string[]): Intent | null {
  const offers = (name: string) => tools.some((tool) => tool.name === name)
  const calculations = offers('calculator') ? findCalculations(text) : null
  if (calculations) return nextCalculation(calculations, results)
  if (results.length > 0) return null
  const place = offers('weather') ? findPlace(text) : null
  if (place) return { tool: 'weather', input: { location: place } }
  const code = /```(\w*)\n([\s\S]*?)```/.exec(text)
  if (code && offers('code_interpreter'))
    return { tool: 'code_interpreter', input: { language: code[1] || 'python', code: code[2] } }
  const query = offers('web_search') ? findQuery(text) : null
  if (query) return { tool: 'web_search', input: { query } }
  if (offers('text_compressor') && isSummaryWanted(text))
    return { tool: 'text_compressor', input: { text: textToSummarise(text) } }
  return null
}

/** The input of a tool that must be called although nothing was recognised: its text fields get the person's words. */
export function fillInput(tool: ModelTool, text: string): Record<string, unknown> {
  const properties = (tool.input_schema.properties ?? {}) as Record<
    string,
    { type?: string; enum?: unknown[]; default?: unknown }
  >
  const required = (tool.input_schema.required ?? Object.keys(properties)) as string[]
  const numbers = text.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: choices, default: given } = properties[name] ?? {}
      if (given !== undefined) return [name, given]
      if (choices)
        return [name, choices.find((choice) => text.toLowerCase().includes(String(choice))) ?? choices[0]]
      return [
        name,
        type === 'number' || type === 'integer' ? (numbers.shift() ?? 0) : type === 'boolean' ? false : text,
      ]
    }),
  )
}

export const isSummaryWanted = (text: string) =>
  /\b(summari[sz]e|summary|résume|résumer|résumé|synthèse)\b/i.test(text)

export const textToSummarise = (text: string) => text.replace(/^[^:\n]*[:\n]\s*/, '')

/** What begins a part that needs what came before it. */
const linkWords =
  '(?:and then|then|et puis|puis|et ensuite|ensuite|and(?= (?:add|multiply|divide|subtract)\\b)|et(?= (?:multipli|divis|soustra|retir|enlèv)))'
const betweenParts = new RegExp(`\\s*;\\s*(${linkWords}\\s+)?|[,.]?\\s+(${linkWords}\\s+)`, 'i')

/** The parts of a task: split on "then", "puis", "ensuite", on "and" before what is done with a result, and on semicolons. */
export function splitTask(text: string): { description: string; follows: boolean }[] {
  const pieces = text.split(betweenParts)
  const parts: { description: string; follows: boolean }[] = []
  for (let at = 0; at < pieces.length; at += 3) {
    const description = (pieces[at] ?? '').trim()
    const follows = parts.length > 0 && Boolean(pieces[at - 1] ?? pieces[at - 2])
    if (description) parts.push({ description, follows })
  }
  return parts
}

function nextCalculation(calculations: Calculation[], results: string[]): Intent | null {
  const next = calculations[results.length]
  if (!next) return null
  const operand = (text: string) => Number(fillOperand(text, results))
  return { tool: 'calculator', input: { a: operand(next.a), b: operand(next.b), operation: next.operation } }
}

const wordEnd = '(?![\\p{L}])'
const weatherWords = new RegExp(
  `(?<!\\p{L})(weather|forecast|météo|quel temps|temps qu['’]il fait|il fait quel temps|température)${wordEnd}`,
  'iu',
)
/** Where a place is named, the surest way first. */
const placeBefore = ['in|at|à|au|aux', 'for|pour|en|de', 'weather|météo'].map(
  (words) => new RegExp(`(?<!\\p{L})(?:${words})\\s+(?!(?:the|a|an|le|la|les|un|une)\\s)([^?!;.\\n]+)`, 'iu'),
)
const afterPlace = new RegExp(
  `[\\s,]+(today|now|right now|please|tomorrow|this week|aujourd['’]hui|maintenant|demain|stp|svp|s['’]il (te|vous) pla[iî]t)${wordEnd}.*$`,
  'iu',
)

function findPlace(text: string): string | null {
  if (!weatherWords.test(text)) return null
  for (const pattern of placeBefore) {
    const place = pattern.exec(text)?.[1]?.replace(afterPlace, '').trim()
    if (place) return place
  }
  return null
}

function findQuery(text: string): string | null {
  const found =
    /\b(?:search(?: the web)?(?: for)?|look up|google|cherche(?:r|z)?(?: sur le web)?|recherche(?:r|z)?)\s+(.+)/i.exec(
      text,
    )
  return found?.[1]?.replace(/[?.!]+$/, '').trim() || null
}
