import { useMemo } from 'react'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { FileTile } from '../ui/files/file-tile.tsx'
import { PassageLink } from './citation.tsx'
import { CitedContext } from './cited.ts'
import { usePassageWays } from './open-passage.ts'
import { placeWords } from './place-words.ts'

/** A passage in the list below an answer. */
export type ListedPassage = { chunkId: string; number: number; passage: PassagePlace; isCited: boolean }

/** Maximum places shown per document (ledger DS-09); the answer has its other numbers. */
const MAX_PLACES = 10

/** The documents an answer relies on with the cited places, in the order of their numbers. */
export default function PassageList({ passages }: { passages: readonly ListedPassage[] }) {
  const ways = usePassageWays()
  const cited = useMemo(
    () => ({
      ...{ ...ways, pages: new Map(), doubts: [], isGrowing: false },
      passages: new Map(passages.map(({ chunkId, passage }) => [chunkId, passage])),
    }),
    [ways, passages],
  )
  return (
    <CitedContext value={cited}>
      <ul className="grid w-full gap-1">
        {groupDocuments(passages).map((group) => (
          <DocumentPlaces key={group[0]!.passage.document_id} passages={group} />
        ))}
      </ul>
    </CitedContext>
  )
}

function DocumentPlaces({ passages }: { passages: readonly ListedPassage[] }) {
  const { t } = useTranslation('streaming_blocks')
  const { document_name } = passages[0]!.passage
  const shown = passages.slice(0, MAX_PLACES)
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-0.5 max-md:py-1.5">
      <FileTile extension={extensionOf(document_name)} size="sm" />
      <span className="max-w-80 min-w-0 truncate font-medium max-md:flex-1">{document_name}</span>
      <span className="flex flex-wrap items-center gap-1 max-md:w-full">
        {shown.map(({ chunkId, number, passage }) => (
          <PassageLink key={chunkId} {...{ chunkId, number, passage }} className="passage-place">
            <span className="cite">{number}</span>
            <span className="num">{placeWords(t, passage) || passage.heading_path.at(-1)}</span>
          </PassageLink>
        ))}
        {shown.length < passages.length && (
          <span className="num text-12 text-ink-3">
            {t('sources.more_places', { count: passages.length - shown.length })}
          </span>
        )}
      </span>
    </li>
  )
}

/** Groups by document in the order of first citations; places in the order of their numbers. */
export function groupDocuments(passages: readonly ListedPassage[]): ListedPassage[][] {
  const inOrder = passages.toSorted((a, b) => Number(b.isCited) - Number(a.isCited) || a.number - b.number)
  return [...Map.groupBy(inOrder, ({ passage }) => passage.document_id).values()]
}
