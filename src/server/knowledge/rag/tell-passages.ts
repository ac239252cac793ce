import { type ToldDocument, type ToldPart, writeEvidence } from '../../models/models/evidence.ts'
import type { Passage, PassageSource } from '../search/search.ts'

/** A passage with its number in the prompt. */
export type Numbered = { number: number; passage: Passage }

/**
 * Formats passages for a prompt: by document, in reading order, with consecutive passages joined to one text. Each passage starts with its
 * number.
 */
export function tellPassages(passages: readonly Numbered[]): string {
  const documents = Map.groupBy(passages, ({ passage }) => passage.document_id)
  return writeEvidence(
    [...documents.values()].map((list): ToldDocument => {
      const inOrder = list.toSorted((a, b) => a.passage.position - b.passage.position)
      const { document_name = '', source = null } = list[0]?.passage ?? {}
      return {
        name: document_name,
        ...(source && { about: aboutOf(source) }),
        parts: joinNeighbours(inOrder),
      }
    }),
  )
}

/** Maximum characters of what a source says of a document. */
const MAX_ABOUT = 300

function aboutOf({ path, owner, labels, created_at, changed_at }: PassageSource): Record<string, string> {
  const about = {
    path,
    owner: owner ?? '',
    labels: labels.join(', '),
    created: created_at?.slice(0, 10) ?? '',
    changed: changed_at?.slice(0, 10) ?? '',
  }
  const known = Object.entries(about).filter(([, text]) => text !== '')
  return Object.fromEntries(known.map(([name, text]) => [name, text.slice(0, MAX_ABOUT)]))
}

function joinNeighbours(inOrder: readonly Numbered[]): ToldPart[] {
  const runs: Numbered[][] = []
  for (const one of inOrder) {
    const last = runs.at(-1)?.at(-1)?.passage
    const follows = last?.reading_id === one.passage.reading_id && last.position + 1 === one.passage.position
    if (follows) runs.at(-1)?.push(one)
    else runs.push([one])
  }
  return runs.map((run) => ({
    place: run[0] ? placeOf(run[0].passage) : '',
    passages: run.map(({ number, passage: { text } }) => ({ number, text })),
  }))
}

function placeOf({ heading_path, page_number, stands }: Passage): string {
  const page = page_number === null ? [] : [`page ${page_number}`]
  const sheet = stands.sheet ? [[stands.sheet, stands.range].filter(Boolean).join(' ')] : []
  return [...heading_path, ...page, ...sheet].join(' · ')
}
