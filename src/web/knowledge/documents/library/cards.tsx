import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { contentText, dateText, failureText, stateText } from '../document-words.ts'
import { CardCheck, CardMenu, CardName, type CardProps, CardStar, StateLine } from './document-parts.tsx'
import type { CardVariant } from './library-filter.ts'
import { Thumbnail } from './thumbnail.tsx'
import './cards.css'
import './rows.css'

/** A picture of the file kind, its name and its state. */
function DefaultCard(props: CardProps) {
  const { t } = useTranslation('documents')
  const { document, isChosen } = props
  return (
    <article className="doc-card" data-chosen={isChosen || undefined}>
      <div className="doc-thumb">
        <Thumbnail document={document} />
        <CardCheck {...props} />
        <span className="doc-corner">
          <CardStar document={document} />
          <CardMenu {...props} />
        </span>
      </div>
      <div className="doc-body">
        <CardName {...props} />
        <p className="doc-facts">
          <FileTile extension={document.extension} size="sm" />
          <span className="num truncate">
            {sizeText(t, document.size)} · {dateText(document)}
          </span>
        </p>
        <StateLine document={document} />
      </div>
    </article>
  )
}

/** One row with every sortable column. */
function ListRow(props: CardProps) {
  const { t } = useTranslation('documents')
  const { document, isChosen, address } = props
  const sub = document.status === 'failed' ? failureText(t, document) : document.tags.join(' / ')
  return (
    <article className="doc-row" data-chosen={isChosen || undefined}>
      <CardCheck {...props} />
      <FileTile extension={document.extension} />
      <div className="doc-name">
        <span className="flex min-w-0 items-center gap-1.5">
          <CardName {...props} />
          <CardStar document={document} />
        </span>
        {sub && <span className="doc-sub">{sub}</span>}
        <span className="doc-sub doc-facts-line">{phoneText(t, document)}</span>
      </div>
      <StateLine document={document} />
      <span className="doc-content truncate">{contentText(t, document) || '–'}</span>
      <span className="doc-size num">{sizeText(t, document.size)}</span>
      <time dateTime={document.created_at} className="doc-date num">
        {dateText(document)}
      </time>
      <span className="doc-end">
        <Link
          to={address}
          aria-label={t('card.open', { name: document.name })}
          data-tip={t('card.open_short')}
          className="doc-control doc-eye"
        >
          <Eye aria-hidden className="icon-14" />
        </Link>
        <CardMenu {...props} />
      </span>
    </article>
  )
}

/** On a phone the columns are one line: the amount of content, or the progress before that is known. */
function phoneText(t: TFunction, document: Document): string {
  const { status, size } = document
  const first = status === 'completed' ? contentText(t, document) : stateText(t, document)
  return [first, sizeText(t, size), dateText(document)].filter(Boolean).join(', ')
}

/** Half the height: name, size and state. */
function CompactRow(props: CardProps) {
  const { t } = useTranslation('documents')
  const { document, isChosen } = props
  return (
    <article className="doc-row doc-compact" data-chosen={isChosen || undefined}>
      <CardCheck {...props} />
      <FileTile extension={document.extension} size="sm" />
      <span className="flex min-w-0 items-center gap-1.5">
        <CardName {...props} />
        <CardStar document={document} />
      </span>
      <StateLine document={document} />
      <span className="doc-size num">{sizeText(t, document.size)}</span>
      <span className="doc-end">
        <CardMenu {...props} />
      </span>
    </article>
  )
}

/** The file kind and the name, as on a desktop. */
function IconTile(props: CardProps) {
  const { document, isChosen } = props
  return (
    <article className="doc-icon" data-chosen={isChosen || undefined}>
      <CardCheck {...props} />
      <span className="doc-corner">
        <CardStar document={document} />
        <CardMenu {...props} />
      </span>
      <FileTile extension={document.extension} size="lg" />
      <CardName {...props} />
      {document.status !== 'completed' && <StateLine document={document} />}
    </article>
  )
}

export const cards: Record<CardVariant, (props: CardProps) => React.ReactNode> = {
  default: DefaultCard,
  list: ListRow,
  compact: CompactRow,
  icon: IconTile,
}
