import { cleanCharacters } from '../../../platform/db/db.ts'
import type { ModelPart, ToolCallPart } from '../port.ts'

/** In bytes: ids become keys of the journal, and an index of the database takes 2,700. Some servers hide signatures in them. */
const ID_MAX = 2_000
const NAME_MAX = 200

/** A part whose call, if it is one, has an id and a name that can be stored and looked up; other parts as they are. */
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

/** A wire may hold anything where a text belongs. */
function cleanWord(given: unknown, max: number): string {
  const word = typeof given === 'number' ? String(given) : given
  if (typeof word !== 'string') return ''
  const text = cleanCharacters(word.slice(0, max))
  if (Buffer.byteLength(text) <= max) return text
  return cleanCharacters(text.slice(0, Math.floor(max / 3)))
}
