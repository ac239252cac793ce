import type { ModelTool } from '../port.ts'
import { type Calculation, fillOperand, findCalculations } from './arithmetic.ts'

/** What a tool is asked to do for a text, or null when nothing was recognised. */
export type Intent = { tool: string; input: Record<string, unknown> }

/** What comes next for a text: takes the results of the calls already made for it, as text. */
export function planIntents(text: string, tools: ModelTool[]): (results: string[]) => Intent | null {
  const offers = (name: string) => tools.some((tool) => tool.name === name)
  const calculations = offers('calculator') ? findCalculations(text) : null
  if (calculations) return (results) => nextCalculation(calculations, results)
  return (results) => (results.length > 0 ? null : findIntent(text, offers))
}

function findIntent(text: string, offers: (tool: string) => boolean): Intent | null {
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
  const numbers = text
    .match(/-?\d+(?:\.\d+)?/g)
    ?.map(Number)
    .values()
  const lower = text.toLowerCase()
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: choices, default: given } = properties[name] ?? {}
      if (given !== undefined) return [name, given]
      if (choices) return [name, choices.find((choice) => lower.includes(String(choice))) ?? choices[0]]
      return [
        name,
        type === 'number' || type === 'integer'
          ? (numbers?.next().value ?? 0)
          : type === 'boolean'
            ? false
            : text,
      ]
    }),
  )
}

export const isSummaryWanted = (text: string) =>
  /\b(summari[sz]e|summary|résume|résumer|résumé|synthèse)\b/i.test(text)

export const textToSummarise = (text: string) => text.replace(/^[^:\n]*[:\n]\s*/, '')

/** Where a part ends: at a semicolon, or at a word that makes the next one go on from it. */
const boundary =
  /;|(?<=[\s;])(?:and then|then|et puis|puis|et ensuite|ensuite|and(?= (?:add|multiply|divide|subtract)\b)|et(?= (?:multipli|divis|soustra|retir|enlèv)))(?=\s)/gi
/** A task of more parts is one thing: nobody writes so many, and each may be a call. */
const mostParts = 100

/** The parts of a task: split on "then", "puis", "ensuite", on "and" before what is done with a result, and on semicolons. */
export function splitTask(text: string): { description: string; follows: boolean }[] {
  const parts: { description: string; follows: boolean }[] = []
  let from = 0
  let isLinked = false
  const take = (to: number, endsWithLink: boolean) => {
    const piece = text.slice(from, to).trim()
    const description = endsWithLink ? piece.replace(/[,.]$/, '') : piece
    if (description) parts.push({ description, follows: isLinked && parts.length > 0 })
    isLinked = endsWithLink
  }
  for (const { 0: separator, index } of text.matchAll(boundary)) {
    take(index, separator !== ';')
    from = index + separator.length
    if (parts.length > mostParts) return [{ description: text, follows: false }]
  }
  take(text.length, false)
  return parts
}

function nextCalculation(calculations: Calculation[], results: string[]): Intent | null {
  const next = calculations[results.length]
  if (!next) return null
  const operand = (text: string) => Number(fillOperand(text, results))
  return { tool: 'calculator', input: { a: operand(next.a), b: operand(next.b), operation: next.operation } }
}

const weatherWords =
  /(?<!\p{L})(weather|forecast|météo|quel temps|temps qu['’]il fait|il fait quel temps|température)(?!\p{L})/iu
/** Where a place is named, the surest way first. */
const placeBefore = [
  /(?<!\p{L})(?:in|at|à|au|aux)\s+(?!(?:the|a|an|le|la|les|un|une)\s)([^?!;.\n]+)/iu,
  /(?<!\p{L})(?:for|pour|en|de)\s+(?!(?:the|a|an|le|la|les|un|une)\s)([^?!;.\n]+)/iu,
  /(?<!\p{L})(?:weather|météo)\s+(?!(?:the|a|an|le|la|les|un|une)\s)([^?!;.\n]+)/iu,
]
const afterPlace =
  /(?<![\s,])[\s,]+(?:today|now|right now|please|tomorrow|this week|aujourd['’]hui|maintenant|demain|stp|svp|s['’]il (?:te|vous) pla[iî]t)(?!\p{L})[\s\S]*$/iu

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
  return found?.[1]?.replace(/(?<![?.!])[?.!]+$/, '').trim() || null
}
