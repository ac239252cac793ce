import { titleFromMessage } from '#shared/chat/sessions/titles.ts'
import { findJson } from '../../models/models/asking/find-json.ts'
import { cleanCharacters } from '../../platform/db/db.ts'

/** Characters of the model's answer that are searched for a title. */
const LOOKED_AT = 500
/** Decoration that models add to a title: emphasis, headings, quotation marks, list marks. */
const DECORATION = new Set([...' \t\r\n#>*_`~"\'“”«»‘’„|-.「」『』'])
/** Elements and marks of chat templates around a title. */
const MARKS = /<\/?(?:title|answer|response|output)>|<\|[a-z_]{2,30}\|>/gi
/** Words before the answer itself. */
const PREFACE =
  /^(?:(?:sure|okay|ok|certainly|of course|bien sûr|d['’]accord)[!,.]+ +)?(?:(?:here(?:['’]s| is)|voici) [^:\n]{0,60}:\s*)?/i
/** Labels that may precede the title. */
const LABEL =
  /^(?:(?:the|le|chat|conversation|generated|suggested|proposed|final|session) ){0,2}(?:title|titre|titel|título|\u6807\u9898|\u6a19\u984c|\u30bf\u30a4\u30c8\u30eb|subject|answer)(?: (?:is|est|could be|would be|might be))? ?(?:[:\uff1a=]| -|(?= ["“«]))/i
const BOXED = /^\\boxed\{(.*)\}$/
const BRACKETS = /^\[(.*)\]$/

/** Extracts the title from an answer, without explanations, decoration and labels. */
export function readTitle(answer: string): string {
  const said = answer.trim().slice(0, LOOKED_AT).replaceAll(MARKS, ' ').trim()
  const line = undecorate(titleIn(said) ?? chooseLine(said))
  const bare = undecorate(line.replace(PREFACE, '')) || line
  const inner = undecorate(bare.replace(LABEL, '')).replace(BOXED, '$1').replace(BRACKETS, '$1')
  return cleanCharacters(titleFromMessage(undecorate(inner)))
}

/** Returns the title in an answer of JSON, also of JSON with wrong quotes; undefined in other answers. */
function titleIn(said: string): string | undefined {
  const { title, name } = Object(findJson(said)) as { title?: unknown; name?: unknown }
  const found = [title, name].find((one) => typeof one === 'string')
  return found ?? /^\{\s*['"]?title['"]?\s*:\s*['"]([^'"\n]+)['"]\s*\}$/i.exec(said)?.[1]
}

/** Returns the first line that does more than announce the title. */
function chooseLine(said: string): string {
  const lines = said.split('\n').filter((line) => undecorate(line) !== '' && !line.startsWith('```'))
  const [first = '', second] = lines
  return second !== undefined && undecorate(first).endsWith(':') ? second : first
}

function undecorate(line: string): string {
  const characters = [...line]
  const start = characters.findIndex((one) => !DECORATION.has(one))
  const end = characters.findLastIndex((one) => !DECORATION.has(one))
  return start < 0 ? '' : characters.slice(start, end + 1).join('')
}
