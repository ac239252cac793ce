import { type Passage, readPassages } from '../../../knowledge/search/search.ts'
import { noteDocuments } from '../../../platform/access/classes/classes.ts'
import { type RunInput, readPerson } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import type { Finding, Findings } from './findings.ts'

/** The part of the findings that the user may read now. */
export type Readable = {
  has: (finding: Finding) => boolean
  /** Returns whether a source may be cited. */
  cites: (id: string) => boolean
  /** Returns a passage, or null for a web page, of which only the snippet is known. */
  passage: (id: string) => Passage | null
}

/** Reads passages again with the user's current rights. Web pages are public. */
export async function readReadable(
  kit: Pick<AgentKit, 'db' | 'config' | 'audiences'>,
  input: RunInput,
  { sources }: Findings,
): Promise<Readable> {
  const ids = sources.flatMap(({ id, passage }) => (passage ? [id] : []))
  const passages = ids.length > 0 ? await readPassages(kit.db, await readPerson(kit, input), {}, ids) : null
  await noteDocuments(
    kit.db,
    [...(passages?.values() ?? [])].map(({ document_id }) => document_id),
  )
  const isPage = new Set(sources.flatMap(({ id, url }) => (url === null ? [] : [id])))
  const cites = (id: string) => isPage.has(id) || (passages?.has(id) ?? false)
  return {
    cites,
    has: (finding) => finding.sources.every(cites),
    passage: (id) => passages?.get(id) ?? null,
  }
}
