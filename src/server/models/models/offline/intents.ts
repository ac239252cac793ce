import { asksForAll, namesDocuments } from '#shared/knowledge/corpus/asks-for-all.ts'
import type { ModelTool } from '../port.ts'
import { findPictureWish } from './pictures.ts'
import { findScheduleWish } from './skills/schedule-wish.ts'
import { readTextWork } from './skills/texts.ts'

/** A tool call that a text asks for. */
export type Intent = { tool: string; input: Record<string, unknown> }

/** Returns the call of an offered tool that a text asks for, or null. Sums are recognized elsewhere. */
export function findIntent(text: string, tools: ModelTool[]): Intent | null {
  const offers = (name: string) => tools.some((tool) => tool.name === name)
  const wish = offers('schedule') ? findScheduleWish(text) : null
  if (wish) return { tool: 'schedule', input: wish }
  const wanted = offers('document_search') ? findDocumentQuestion(text) : null
  if (wanted) return { tool: 'document_search', input: wanted }
  const place = offers('weather') ? findPlace(text) : null
  if (place) return { tool: 'weather', input: { location: place } }
  if (offers('code_interpreter') && holdsProgram(text))
    return { tool: 'code_interpreter', input: { request: text } }
  const picture = offers('image_generation') ? findPictureWish(text) : null
  if (picture) return { tool: 'image_generation', input: picture }
  const query = offers('web_search') ? findQuery(text) : null
  if (query) return { tool: 'web_search', input: { query } }
  const compressed = offers('text_compressor') && isSummaryWanted(text) ? findLongText(text) : null
  return compressed && { tool: 'text_compressor', input: compressed }
}

/** Shorter texts are summarized without a tool. */
const longText = 6_000
const documentNamed =
  /(?<!\p{L})(?:this|these|the|my|our|all|every|each|ce|cet|cette|ces|le|la|les|mes?|mon|ma|nos|notre|tous|toutes|chaque)\s(?:[\p{L}-]{1,20}\s){0,2}(?:documents?|files?|contracts?|reports?|pdfs?|attachments?|fichiers?|contrats?|rapports?|dossiers?|pièces? jointes?)(?!\p{L})/iu

/** Returns the input for a long text to summarize, or for the documents of the chat. */
function findLongText(text: string): Record<string, unknown> | null {
  const given = readTextWork(text)
  if (given && given.body.length > longText)
    return { intent: given.instruction.trim().slice(0, intentMost), text: given.body }
  const names = (given === null || given.body === '') && documentNamed.test(text.slice(0, intentMost))
  return names ? { intent: text.trim().slice(0, intentMost) } : null
}
const intentMost = 2_000

const runnable = ['python', 'python3', 'py', 'javascript', 'js', 'mjs', 'node']

/** Returns whether a text holds a block in a runnable language, or one without a language and the request to run it. */
function holdsProgram(text: string): boolean {
  const language = /^ {0,3}```[ \t]*(\S*)[ \t]*$/m.exec(text)?.[1]?.toLowerCase()
  if (language === '') return /(?<!\p{L})(?:run|execute|exécute[rz]?|lance[rz]?)(?!\p{L})/iu.test(text)
  return language !== undefined && runnable.includes(language)
}

/** Returns the input of a tool that must be called although no call was recognized. Its text fields get the user's message. */
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

/** Returns whether a message asks for a summary. */
export const isSummaryWanted = (text: string) =>
  /\b(summari[sz]e|summary|résume|résumer|résumé|synthèse)\b/i.test(text)

const weatherWords =
  /(?<!\p{L})(weather|forecast|météo|quel temps|temps qu['’]il fait|il fait quel temps|température)(?!\p{L})/iu
/** Patterns that precede the name of a place, the most reliable first. */
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

const documentQuestions = [
  /^(?:please )?(?:search|look|find)(?: for)? (?:in |through )?(?:my|our|the) (?:documents|files|library) (?:for|about) (.+)/i,
  /^(?:please )?(?:search|look|find)(?: for)? (.+?) in (?:my|our|the) (?:documents|files|library)$/i,
  /^what (?:do|does) (?:my|our|the) (?:documents|files|library) (?:say|tell|have|contain) (?:about|on|of|for) (.+)/i,
  /^(?:cherche[rz]?|recherche[rz]?|trouve[rz]?) dans (?:mes|nos|les) (?:documents|fichiers) (.+)/i,
  /^(?:cherche[rz]?|recherche[rz]?|trouve[rz]?) (.+?) dans (?:mes|nos|les) (?:documents|fichiers)$/i,
  /^que (?:disent|contiennent) (?:mes|nos|les) (?:documents|fichiers) (?:sur|au sujet de|à propos de|de) (.+)/i,
  /^que (?:dit|contient) (?:ma|notre|la) bibliothèque (?:sur|au sujet de|à propos de|de) (.+)/i,
]
/** Questions that name the documents before or after the subject. */
const questionsOfDocuments = [
  /^(?:please )?(?:search|look|find|check)(?: for)? (?:in |through )?(?:my|our|the) (?:documents|files|library)[ ,:–—-]{1,3}(.+)/i,
  /^(?:according to|based on|from|in) (?:my|our|the) (?:documents|files|library)[ ,:]{1,3}(.+)/i,
  /^(.+?),? (?:according to|based on|in|from) (?:(?:my|our) (?:documents|files|library)|the library)$/i,
  /^(?:cherche[rz]?|recherche[rz]?|trouve[rz]?|regarde[rz]?) dans (?:mes|nos|les|ma|notre|la) (?:documents|fichiers|bibliothèque)[ ,:–—-]{1,3}(.+)/i,
  /^(?:selon|d['’]après|dans) (?:mes|nos|les|ma|notre|la) (?:documents|fichiers|bibliothèque)[ ,:]{1,3}(.+)/i,
  /^(.+?),? (?:selon|d['’]après|dans) (?:(?:mes|nos) (?:documents|fichiers)|(?:ma|notre|la) bibliothèque)$/i,
]
const questionMost = 1_000

/** Returns the input of a search in the user's documents, or null when the text asks for none. */
function findDocumentQuestion(text: string): Record<string, unknown> | null {
  const whole = text.trim().replace(/\s+/g, ' ')
  const asked = whole.slice(0, questionMost).replace(/[\s.?!]{1,5}$/, '')
  const find = (patterns: RegExp[]) => {
    for (const pattern of patterns) {
      const query = pattern
        .exec(asked)?.[1]
        ?.replace(/^[\s:,]{1,5}/, '')
        .trim()
      if (query) return { query }
    }
    return null
  }
  const isWhole = whole.length <= questionMost && asksForAll(whole) && namesDocuments(whole)
  return find(documentQuestions) ?? (isWhole ? { query: whole, read_all: true } : find(questionsOfDocuments))
}
