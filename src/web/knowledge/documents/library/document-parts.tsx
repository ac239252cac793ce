import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleSlash, CircleX, Ellipsis, Star } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { PhaseBar } from '../../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Marked } from '../../../platform/ui/marked.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { retry, setStarred } from '../document-actions.ts'
import { isCancelled, progressText, stateText } from '../document-words.ts'
import { libraryProgress, phaseShare } from '../progress.ts'
import { markName } from './mark-name.ts'
import '../document-name.css'

/** Props of every card variant. */
export type CardProps = {
  document: Document
  /** Address of its preview. */
  address: string
  query: string
  isChosen: boolean
  entries: MenuEntry[]
  /** `isRange`: everything from the last selected one to this one. */
  onChoose: (isRange: boolean) => void
  onTag: (tag: string) => void
}

/** The name as a link that covers the whole card. */
export function CardName({ document, address, query }: Pick<CardProps, 'document' | 'address' | 'query'>) {
  return (
    <Link to={address} title={document.name} className="doc-open">
      <Marked parts={markName(document.name, query)} />
    </Link>
  )
}

export function CardCheck({
  document,
  isChosen,
  onChoose,
}: Pick<CardProps, 'document' | 'isChosen' | 'onChoose'>) {
  const { t } = useTranslation('documents')
  return (
    <Checkbox
      className="doc-check"
      aria-label={t('card.choose', { name: document.name })}
      checked={isChosen}
      onClick={(event) => {
        if (!event.shiftKey) return
        event.preventDefault()
        onChoose(true)
      }}
      onCheckedChange={() => onChoose(false)}
    />
  )
}

export function CardStar({ document }: Pick<CardProps, 'document'>) {
  const { t } = useTranslation('documents')
  const { is_starred, name } = document
  return (
    <IconButton
      name={t(is_starred ? 'card.unstar' : 'card.star', { name })}
      size="xs"
      aria-pressed={is_starred}
      className="doc-star"
      onClick={() => void setStarred(t, document, !is_starred)}
    >
      <Star aria-hidden className="icon-14" />
    </IconButton>
  )
}

export function CardMenu({ document, entries }: Pick<CardProps, 'document' | 'entries'>) {
  const { t } = useTranslation('documents')
  return (
    <Menu
      align="end"
      entries={entries}
      trigger={
        <IconButton name={t('card.menu', { name: document.name })} size="xs" className="doc-control">
          <Ellipsis aria-hidden className="icon-14" />
        </IconButton>
      }
    />
  )
}

/** The state of a document as text, with its progress. */
export function StateLine({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const word = stateText(t, document)
  if (document.status === 'completed')
    return (
      <span className="doc-state">
        <CircleCheck aria-hidden className="icon-14 text-success" />
        {word}
      </span>
    )
  if (document.status === 'failed') return <FailedLine document={document} />
  const { done, share } = phaseShare(document)
  return (
    <span
      role="progressbar"
      aria-label={document.name}
      aria-valuenow={libraryProgress(document.status, document.current_phase)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={[word, progressText(t, document)].filter(Boolean).join(', ')}
      className="doc-progress"
    >
      <span className="flex justify-between gap-2">
        <span>{word}</span>
        <span className="num truncate text-ink-3">{progressText(t, document)}</span>
      </span>
      <PhaseBar done={done} share={share} />
    </span>
  )
}

function FailedLine({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const isStopped = isCancelled(document)
  const Icon = isStopped ? CircleSlash : CircleX
  return (
    <span className="doc-state">
      <Icon aria-hidden className={`icon-14 ${isStopped ? 'text-ink-3' : 'text-danger'}`} />
      <span className={isStopped ? '' : 'text-danger'}>{stateText(t, document)}</span>
      <Button
        variant="link"
        size="sm"
        className="doc-control ml-auto"
        aria-label={t('card.retry', { name: document.name })}
        onClick={() => void retry(t, document)}
      >
        {t(isStopped ? 'card.continue_short' : 'card.retry_short')}
      </Button>
    </span>
  )
}
