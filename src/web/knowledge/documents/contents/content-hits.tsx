import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, TextSearch } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { SearchObject } from '#shared/knowledge/search/search.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { Marked } from '../../../platform/ui/marked.tsx'
import type { Scope } from '../library/use-library.ts'
import { snippetOf, wordsToMark } from './snippet.ts'
import { useContentHits } from './use-content-hits.ts'

type ContentHitsProps = {
  words: string
  scope: Scope
  /** Address of the list, which the preview belongs to. */
  home: string
  /** No document has a fitting name: the hits are shown in full, or `noMatch`. */
  isAlone: boolean
  noMatch: ReactNode
}

/** Documents that contain the words of a search: one line above the list, which opens to the passages. */
export function ContentHits({ words, scope, home, isAlone, noMatch }: ContentHitsProps) {
  const { t } = useTranslation('documents')
  const { hits, isOff } = useContentHits(words, scope)
  const [byHand, setByHand] = useState<boolean | null>(null)
  const id = useId()
  if (isOff) return isAlone ? noMatch : null
  if (isAlone && hits?.length === 0) return noMatch
  const isOpen = (byHand ?? isAlone) && hits !== null && hits.length > 0
  const Chevron = isOpen ? ChevronUp : ChevronDown
  const found = hits === null ? t('contents.looking') : t('contents.found', { count: hits.length })
  return (
    <section aria-label={t('contents.title')} className="mx-8 mb-2 flex min-h-9 flex-col max-md:mx-4">
      <h2 className="flex h-9 flex-none items-center gap-2 text-13 text-ink-2">
        <TextSearch aria-hidden className="icon-14 flex-none" />
        {hits && hits.length > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setByHand(!isOpen)}
            className="flex h-8 min-w-0 items-center gap-1.5 rounded-control font-medium hover-motion hover:text-ink max-md:h-11"
          >
            <span role="status" className="truncate">
              {found}
            </span>
            <Chevron aria-hidden className="icon-14 flex-none" />
          </button>
        ) : (
          <span role="status">{found}</span>
        )}
      </h2>
      <ul
        id={id}
        hidden={!isOpen}
        className={`min-h-0 divide-y divide-line overflow-y-auto rounded-card border border-line ${isAlone ? '' : 'max-h-[40dvh]'}`}
      >
        {isOpen &&
          hits.map((hit) => <ContentHit key={hit.id} hit={hit} words={wordsToMark(words)} home={home} />)}
      </ul>
    </section>
  )
}

function ContentHit({ hit, words, home }: { hit: SearchObject; words: string[]; home: string }) {
  const { t } = useTranslation('documents')
  const { document_id, file_name, page_number, heading_path, text } = hit.properties
  const place = [page_number !== null && t('contents.page', { page: page_number }), heading_path.at(-1)]
  return (
    <li className="relative flex gap-3 px-3.5 py-2.5 hover:bg-surface">
      <FileTile extension={extensionOf(file_name)} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-baseline gap-2 text-13">
          <Link
            to={`${home}/preview/${document_id}` as '/documents/preview/$documentId'}
            search={{ chunk: hit.id } as never}
            className="min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {file_name}
          </Link>
          <span className="min-w-0 flex-none truncate text-12 text-ink-3">
            {place.filter(Boolean).join(' · ')}
          </span>
        </p>
        <p dir="auto" className="mt-0.5 text-13 leading-[19px] wrap-anywhere text-ink-2">
          <Marked parts={snippetOf(text, words)} />
        </p>
      </div>
    </li>
  )
}
