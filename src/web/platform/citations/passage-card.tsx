import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, FileX } from 'lucide-react'
import type { RefObject } from 'react'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FileTile } from '../ui/files/file-tile.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { FloatingCard } from './floating-card.tsx'
import { passageQuery } from './open-passage.ts'
import { PageMap } from './page-map.tsx'
import { placeWords } from './place-words.ts'

type PassageCardProps = {
  anchor: RefObject<HTMLElement | null>
  chunkId: string
  passage: PassagePlace
  name: string
  /** Element id of its quote. */
  quote: string
  onOpen: () => void
}

/** A cited passage: its document, its place there, and its text with the reader's current access. */
export default function PassageCard({ anchor, chunkId, passage, name, quote, onOpen }: PassageCardProps) {
  const { t } = useTranslation('streaming_blocks')
  const { document_id, document_name, heading_path } = passage
  const { data, isError } = useQuery(passageQuery(document_id, chunkId))
  const isGone = data !== undefined && 'notFound' in data
  const text = data && !('notFound' in data) ? data.text : null
  return (
    <FloatingCard anchor={anchor} name={name}>
      <span className="passage-head">
        <FileTile extension={extensionOf(document_name)} size="sm" />
        <span className="min-w-0 flex-1 truncate font-medium">{document_name}</span>
        <span className="num flex-none text-12 text-ink-2">{placeWords(t, passage)}</span>
      </span>
      {heading_path.length > 0 && (
        <span className="mt-0.5 block truncate text-12 text-ink-2">{heading_path.join(' › ')}</span>
      )}
      <span id={quote} className="passage-words">
        {isGone ? (
          <>
            <FileX aria-hidden className="icon-14 mt-0.5 flex-none text-ink-3" />
            <span className="text-ink-2">{t('citation.gone')}</span>
          </>
        ) : (
          <>
            <PageMap place={passage.place} />
            {text === null ? (
              isError ? (
                <span className="text-ink-2">{t('citation.not_loaded')}</span>
              ) : (
                <Skeleton className="h-12 flex-1" />
              )
            ) : (
              <q className="passage-quote">{t('citation.quote', { text })}</q>
            )}
          </>
        )}
      </span>
      {!isGone && (
        <span className="passage-foot">
          <Button variant="link" size="sm" onClick={onOpen}>
            {t('citation.open')}
            <ArrowUpRight aria-hidden className="icon-14" />
          </Button>
          {text !== null && <CopyButton name={t('citation.copy')} size="sm" read={() => text} />}
        </span>
      )}
    </FloatingCard>
  )
}
