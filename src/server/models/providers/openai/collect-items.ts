import type { ToolCallPart } from '../../models/port.ts'
import type { Allowance } from '../../models/wire/allowance.ts'
import { isJson } from '../../models/wire/json-input.ts'

/** A call in an answer of the Responses API. */
export type CallItem = {
  type: string
  id?: string | null | undefined
  call_id?: string | null | undefined
  name?: string | null | undefined
  arguments?: unknown
}
/** Names of an item in an event. Proxies leave out some of them, or make a new `item_id` for each event. */
export type ItemKey = { output_index?: number | undefined; item_id?: string | undefined }
type Open = { item: CallItem; place: number | undefined; written: string }

/**
 * Collects the calls of an answer. A call has its arguments in pieces, at its end, and in the list of the whole answer; proxies leave
 * out any two of them.
 */
export function createItemCollector(allowance: Allowance) {
  const calls: ToolCallPart[] = []
  const opened: Open[] = []
  /** Ids of the calls so far, of the item and of the call. */
  const known = new Set<string>()

  const find = ({ output_index, item_id }: ItemKey, item?: CallItem): Open | undefined => {
    const ids = [item_id, item?.id, item?.call_id].filter(Boolean)
    return (
      opened.find((one) => [one.item.id, one.item.call_id].some((id) => id && ids.includes(id))) ??
      opened.find(({ place }) => output_index !== undefined && place === output_index) ??
      (output_index === undefined && !item?.call_id ? opened.at(-1) : undefined)
    )
  }
  const write = (call: Open, written: string) => {
    const added = Math.max(0, written.length - call.written.length)
    call.written = written
    allowance.call(calls.length + opened.length, written.length, added)
  }
  const add = (item: CallItem, call: Open | undefined) => {
    if (call) opened.splice(opened.indexOf(call), 1)
    const own = textOf(item.arguments)
    const before = call?.written ?? ''
    const input = own || before
    const id = item.call_id ?? call?.item.call_id ?? item.id ?? call?.item.id ?? `call_${calls.length + 1}`
    calls.push({ type: 'tool-call', id, name: item.name ?? call?.item.name ?? '', input })
    for (const one of [item.id, item.call_id, call?.item.id, call?.item.call_id]) if (one) known.add(one)
    allowance.call(calls.length, input.length, Math.max(0, input.length - before.length))
  }
  return {
    all: (): ToolCallPart[] => calls,
    open(item: CallItem, { output_index }: ItemKey): void {
      const call: Open = { item, place: output_index, written: '' }
      opened.push(call)
      write(call, textOf(item.arguments))
    },
    addPiece(piece: string, key: ItemKey): void {
      const call = find(key)
      if (call) write(call, call.written + piece)
    },
    setArguments(written: unknown, key: ItemKey): void {
      const call = find(key)
      if (call && written) write(call, textOf(written))
    },
    close: (item: CallItem, key: ItemKey): void => add(item, find(key, item)),
    /** Adds the calls of the whole answer that had no end. */
    finish(listed: readonly CallItem[]): void {
      for (const item of listed) {
        const ids = [item.id, item.call_id].filter((id) => id != null)
        const isKnown =
          ids.some((id) => known.has(id)) || (ids.length === 0 && calls.some((call) => isSame(call, item)))
        if (!isKnown) add(item, find({}, item))
      }
      if (listed.length === 0) for (const call of [...opened]) add({ type: call.item.type }, call)
    },
    /** Returns whether the arguments of all open calls are complete. */
    isComplete: (): boolean => opened.every(({ written }) => isJson(written)),
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)

const isSame = ({ name, input }: ToolCallPart, item: CallItem): boolean =>
  name === item.name && input === textOf(item.arguments)
