import { type Passage, readPassages } from '../../../knowledge/search/search.ts'
import { type RunInput, readPerson } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import type { Finding, Findings } from './findings.ts'

/** What the person may see now of what was found. */
export type Readable = {
  has: (finding: Finding) => boolean
  /** Whether a source may be cited. */
  cites: (id: string) => boolean
  /** The words of a passage; null for a page, of which only its snippet is known. */
  passage: (id: string) => Passage | null
}

/** Reads passages anew with the rights of the person; pages of the web are everybody's. */
export async function readReadable(
  kit: Pick<AgentKit, 'db' | 'config'>,
  input: RunInput,
  { sources }: Findings,
): Promise<Readable> {
  const ids = sources.flatMap(({ id, passage }) => (passage ? [id] : []))
  const passages = ids.length > 0 ? await readPassages(kit.db, await readPerson(kit, input), {}, ids) : null
  const isPage = new Set(sources.flatMap(({ id, url }) => (url === null ? [] : [id])))
  const cites = (id: string) => isPage.has(id) || (passages?.has(id) ?? false)
  return {
    cites,
    has: (finding) => finding.sources.every(cites),
    passage: (id) => passages?.get(id) ?? null,
  }
}
