import type { Document } from '#shared/knowledge/documents/documents.ts'

export type Chosen = Pick<Document, 'id' | 'name' | 'size' | 'is_starred'>
/** Chosen documents; `anchor` is the place a range begins at. They stay chosen while one scrolls past them. */
export type Selection = { chosen: ReadonlyMap<string, Chosen>; anchor: number | null }

export const nothingChosen: Selection = { chosen: new Map(), anchor: null }

/** Chooses a document or lets it go. */
export function toggle({ chosen }: Selection, document: Chosen, place: number): Selection {
  const next = new Map(chosen)
  if (!next.delete(document.id)) next.set(document.id, document)
  return { chosen: next, anchor: place }
}

/** Chooses everything from the anchor to a place, both included, as far as it has been read. */
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

/** All of these, and nothing else. */
export function choose(documents: readonly Chosen[]): Selection {
  return { chosen: new Map(documents.map((document) => [document.id, document])), anchor: null }
}

/** Without those that are gone. */
export function without({ chosen, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  return { chosen: new Map([...chosen].filter(([id]) => !gone.has(id))), anchor }
}

export function sizeOf({ chosen }: Selection): number {
  return [...chosen.values()].reduce((sum, { size }) => sum + size, 0)
}
