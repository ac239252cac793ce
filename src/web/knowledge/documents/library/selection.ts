import type { Document } from '#shared/knowledge/documents/documents.ts'

export type Chosen = Pick<Document, 'id' | 'name' | 'size' | 'is_starred'>
/** Selected documents; `anchor` is the start of a range. They stay selected when scrolled out of view. */
export type Selection = { chosen: ReadonlyMap<string, Chosen>; anchor: number | null }

export const nothingChosen: Selection = { chosen: new Map(), anchor: null }

/** Toggles a document. */
export function toggle({ chosen }: Selection, document: Chosen, place: number): Selection {
  const next = new Map(chosen)
  if (!next.delete(document.id)) next.set(document.id, document)
  return { chosen: next, anchor: place }
}

/** Selects everything from the anchor to a position, inclusive, as far as it is loaded. */
export function extend(
  { chosen, anchor }: Selection,
  place: number,
  at: (place: number) => Chosen | undefined,
): Selection {
  const [from, to] = [anchor ?? place, place].sort((a, b) => a - b) as [number, number]
  const next = new Map(chosen)
  for (let index = from; index <= to; index++) {
    const document = at(index)
    if (document) next.set(document.id, document)
  }
  return { chosen: next, anchor: anchor ?? place }
}

/** Selects exactly these. */
export function choose(documents: readonly Chosen[]): Selection {
  return { chosen: new Map(documents.map((document) => [document.id, document])), anchor: null }
}

/** Removes deleted ones. */
export function without({ chosen, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  return { chosen: new Map([...chosen].filter(([id]) => !gone.has(id))), anchor }
}

export function sizeOf({ chosen }: Selection): number {
  return [...chosen.values()].reduce((sum, { size }) => sum + size, 0)
}
