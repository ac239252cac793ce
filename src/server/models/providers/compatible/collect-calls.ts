import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import type { ToolCallPart } from '../../models/port.ts'
import type { Allowance } from '../../models/wire/allowance.ts'
import { isJson } from '../../models/wire/json-input.ts'

type Named = { name?: string | null; arguments?: unknown; parameters?: unknown; input?: unknown }
/** A piece of a tool call. A few servers leave out `function` and put its fields here. */
export type Fragment = Named & {
  index?: number | string | null
  id?: string | number | null
  function?: Named | string | null
  /** Data that Google requires with the call in later requests. */
  extra_content?: unknown
}

const EXTRA = 'chat:extra'

/** Returns what a server gave with a call and requires back. */
export const extraOf = ({ metadata }: ToolCallPart): unknown => metadata?.[EXTRA]

/** Returns the pieces of calls, which come as a list, one alone, by their places, or packed as a text. */
export function fragmentsOf(value: unknown): Fragment[] {
  const given = typeof value === 'string' ? tryJson(value) : value
  if (typeof given !== 'object' || given === null) return []
  const list: unknown[] = Array.isArray(given) ? given : isFragment(given) ? [given] : Object.values(given)
  return list.filter(isFragment)
}

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' &&
  value !== null &&
  ('function' in value || 'name' in value || 'arguments' in value)

/** Returns the name and the arguments of a piece. A few servers pack them as a text. */
function namedIn(fragment: Fragment): Named {
  const given = fragment.function
  const named = typeof given === 'string' ? tryJson(given) : given
  return typeof named === 'object' && named !== null ? named : fragment
}

export function createCallCollector(allowance: Allowance) {
  const calls: ToolCallPart[] = []
  const byIndex = new Map<string, ToolCallPart>()

  /**
   * Fragments belong together by index. Servers that send none, or one for all, mark a new call by id and name. A piece without
   * both belongs to the newest call, whatever its index says.
   */
  const find = (index: string | null, id: string, name: string): ToolCallPart | undefined => {
    const newest = calls.at(-1)
    const known = index === null ? newest : (byIndex.get(index) ?? (id || name ? undefined : newest))
    if (!known) return undefined
    if (id && id !== known.id && (index === null || name)) return undefined
    return name && known.name && !id && isWholeCall(known) ? undefined : known
  }
  return {
    all: () => calls,
    /** `isWhole`: the fragment is a call of its own, from an answer that was not streamed. */
    add(fragment: Fragment, isWhole: boolean): void {
      const { name, arguments: given, parameters, input } = namedIn(fragment)
      const written = given ?? parameters ?? input
      const index = fragment.index == null ? null : String(fragment.index)
      const id = fragment.id == null ? '' : String(fragment.id)
      const known = isWhole ? undefined : find(index, id, name ?? '')
      const call = known ?? {
        type: 'tool-call' as const,
        id: id || `call_${calls.length + 1}`,
        name: '',
        input: '',
      }
      if (!known) calls.push(call)
      if (index !== null) byIndex.set(index, call)
      if (fragment.extra_content) {
        allowance.keep(JSON.stringify(fragment.extra_content).length)
        call.metadata = { [EXTRA]: fragment.extra_content }
      }
      if (name) call.name = joinName(call.name, name)
      const before = call.input.length
      if (typeof written === 'string') call.input += written
      else if (written) call.input = JSON.stringify(written)
      allowance.call(calls.length, call.input.length, call.input.length - before)
    },
  }
}
/** Servers send a name once, in pieces, or whole with every fragment. */
function joinName(before: string, piece: string): string {
  return before === piece || before.length + piece.length > MAX_NAME ? before : before + piece
}

/** Longer arguments are not looked at with every fragment. */
const LOOKED_AT = 20_000
/** Longest name that is put together of pieces. */
const MAX_NAME = 200

function isWholeCall({ input }: ToolCallPart): boolean {
  return input !== '' && input.length <= LOOKED_AT && input.endsWith('}') && isJson(input)
}
