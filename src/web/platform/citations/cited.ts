import { createContext, useContext } from 'react'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import type { PassageWays } from './open-passage.ts'

/** What the numbers of a text stand for. */
export type Cited = PassageWays & {
  passages: ReadonlyMap<string, PassagePlace>
  /** Pages of the web, by their addresses. */
  pages: ReadonlyMap<string, CitedPage>
  doubts: readonly DoubtedSentence[]
  /** More of the text, and of its sources, is coming. */
  isGrowing: boolean
}

/** A page of the web that a text relies on. */
export type CitedPage = { url: string; title: string; snippet: string }

/** A sentence with everything that is wrong with it. */
export type DoubtedSentence = Pick<Doubt, 'at' | 'length' | 'numbers'> & { kinds: Doubt['kind'][] }

export const CitedContext = createContext<Cited>({
  ...{ passages: new Map(), pages: new Map(), doubts: [], isGrowing: false },
  ...{ hrefOf: () => '', open: async () => false },
})

export const useCited = () => useContext(CitedContext)

/** Each sentence once, in the order of the text; without what concerns the whole answer. */
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
