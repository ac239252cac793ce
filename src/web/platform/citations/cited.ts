import { createContext, useContext } from 'react'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { CitedQuery, PassagePlace } from '#shared/platform/citations/passages.ts'
import type { PassageWays } from './open-passage.ts'

/** The sources of a text's citations. */
export type Cited = PassageWays & {
  passages: ReadonlyMap<string, PassagePlace>
  /** Web pages by address. */
  pages: ReadonlyMap<string, CitedPage>
  /** Queries of databases by the id of their execution. */
  queries?: ReadonlyMap<string, CitedQuery>
  doubts: readonly DoubtedSentence[]
  /** Whether more text and sources are expected. */
  isGrowing: boolean
}

/** A web page that a text relies on. */
export type CitedPage = { url: string; title: string; snippet: string }

/** A sentence with all its problems. */
export type DoubtedSentence = Pick<Doubt, 'at' | 'length' | 'numbers'> & { kinds: Doubt['kind'][] }

export const CitedContext = createContext<Cited>({
  ...{ passages: new Map(), pages: new Map(), doubts: [], isGrowing: false },
  ...{ hrefOf: () => '', open: async () => false },
})

export const useCited = () => useContext(CitedContext)

/** Returns each sentence once, in text order, without problems of the whole answer. */
export function sentencesOf(doubts: readonly Doubt[]): DoubtedSentence[] {
  const placed = doubts.filter(({ kind }) => kind !== 'no_source')
  return [...Map.groupBy(placed, ({ at, length }) => `${at}+${length}`).values()]
    .map(([first, ...more]) => ({
      ...{ at: first!.at, length: first!.length },
      kinds: [first!, ...more].map(({ kind }) => kind),
      numbers: [first!, ...more].flatMap(({ numbers }) => numbers),
    }))
    .sort((a, b) => a.at - b.at)
}
