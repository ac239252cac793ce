import { sentencesOf } from '#shared/platform/citations/check.ts'
import { findMarkers, withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { FoundSource } from '#shared/runs/runs/sources.ts'
import { MAX_SOURCES } from '#shared/runs/runs/sources.ts'
import type { Searched } from './search-one.ts'

/** A sentence found for a question, with its sources. */
export type Finding = {
  /** Index of the question, from 0. */
  at: number
  text: string
  /** Ids of its sources: page addresses or passage ids. */
  sources: string[]
  /** The search found that the sources do not support the sentence. */
  isDoubtful: boolean
}

export type Findings = {
  /** By the number that the model sees, from 1. */
  sources: FoundSource[]
  findings: Finding[]
}

type Answered = { response: string; is_answered: boolean; doubts: Doubt[] }

/** Collects the results of all searches: each cited source once, and each sentence that cites one. */
export function readFindings(searched: readonly Searched[]): Findings {
  const sources = new Map<string, FoundSource>()
  for (const { web, documents } of searched) {
    for (const { url, title, snippet, used_in_response } of web?.is_answered ? web.sources : [])
      if (used_in_response && sources.size < MAX_SOURCES && !sources.has(url))
        sources.set(url, { id: url, url, title, snippet })
    for (const { used_in_response, ...passage } of documents?.is_answered ? documents.sources : []) {
      const { chunk_id: id, document_name: title, rank: _rank, ...stands } = passage
      if (used_in_response && sources.size < MAX_SOURCES && !sources.has(id))
        sources.set(id, { id, title, url: null, passage: { ...stands, document_name: title } })
    }
  }
  const findings = searched.flatMap(({ web, documents }, at) =>
    [web, documents].flatMap((answer) => (answer?.is_answered ? readAnswer(answer, at, sources) : [])),
  )
  return { sources: [...sources.values()], findings: withoutRepeats(findings) }
}

/** Merges equal findings of a question, with all their sources. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const once = new Map<string, Finding>()
  for (const one of findings) {
    const key = `${one.at} ${one.text}`
    const known = once.get(key)
    const sources = [...new Set([...(known?.sources ?? []), ...one.sources])]
    once.set(key, { ...one, sources, isDoubtful: one.isDoubtful && (known?.isDoubtful ?? true) })
  }
  return [...once.values()]
}

function readAnswer(
  { response, doubts }: Answered,
  at: number,
  known: ReadonlyMap<string, unknown>,
): Finding[] {
  return sentencesOf(response).flatMap((sentence) => {
    const ids = findMarkers(sentence.text).map(({ id }) => id)
    const sources = [...new Set(ids)].filter((id) => known.has(id))
    const text = withoutCitations(sentence.text).trim()
    if (sources.length === 0) return []
    const end = sentence.at + sentence.text.length
    const isDoubtful = doubts.some((doubt) => doubt.at < end && doubt.at + doubt.length > sentence.at)
    return [{ at, text, sources, isDoubtful }]
  })
}
