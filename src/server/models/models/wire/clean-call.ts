import { cleanCharacters } from '../../../platform/db/db.ts'
import type { ModelPart, ToolCallPart } from '../port.ts'

/** Bytes. Ids become keys of the journal, and a database index takes 2,700. Some servers hide signatures in ids. */
const ID_MAX = 2_000
const NAME_MAX = 200

/** Returns a tool call with an id and a name that can be stored and looked up; other parts unchanged. */
export function cleanCall(part: ModelPart): ModelPart {
  if (part.type !== 'tool-call') return part
  const { id, name, input }: Record<keyof ToolCallPart, unknown> = { metadata: undefined, ...part }
  return {
    ...part,
    id: cleanWord(id, ID_MAX),
    name: cleanWord(name, NAME_MAX),
    input: typeof input === 'string' ? input : (JSON.stringify(input) ?? ''),
  }
}

/** A wire may hold any value instead of a text. */
function cleanWord(given: unknown, max: number): string {
  const word = typeof given === 'number' ? String(given) : given
  if (typeof word !== 'string') return ''
  const text = cleanCharacters(word.slice(0, max))
  if (Buffer.byteLength(text) <= max) return text
  return cleanCharacters(text.slice(0, Math.floor(max / 3)))
}
