import { CircleStop, FileX, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import {
  cancel,
  failureText,
  isCancelled,
  progressText,
  retry,
  stateText,
} from '../../documents/documents.ts'
import { readDocumentAgain } from '../use-document.ts'

/** A document that cannot be viewed yet: its progress, or why it stopped and what to do. */
export function UnderWay({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const hasFailed = document.status === 'failed'
  return (
    <EmptyState
      page
      icon={hasFailed && <FileX aria-hidden />}
      title={stateText(t, document)}
      action={<StopOrGoOn document={document} />}
    >
      {hasFailed ? failureText(t, document) : <HowFar document={document} />}
    </EmptyState>
  )
}

/** A document that can be viewed already: a line above it says what is missing. */
export function StillMissing({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const hasFailed = document.status === 'failed'
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-2 text-13 text-ink-2">
      <div className="min-w-0 flex-1 basis-60">
        {hasFailed ? <p className="text-ink">{failureText(t, document)}</p> : <HowFar document={document} />}
        <p>{t(`preview.${searchState(document)}`)}</p>
      </div>
      <StopOrGoOn document={document} size="sm" />
    </div>
  )
}

function searchState({ status, is_found_by_words }: Document) {
  if (status === 'failed') return 'not_searchable'
  return is_found_by_words ? 'found_by_words' : 'not_yet_searchable'
}

function HowFar({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const converted = document.status === 'in_progress' ? document.doc_metadata.converted_from : null
  return (
    <>
      <p role="status" className="num">
        {progressText(t, document) || t('preview.under_way')}
      </p>
      {converted && <p>{t('preview.converting', { from: converted.toUpperCase() })}</p>}
    </>
  )
}

function StopOrGoOn({ document, size = 'md' }: { document: Document; size?: 'sm' | 'md' }) {
  const { t } = useTranslation('documents')
  const [isAsking, setAsking] = useState(false)
  const ask = async (asked: typeof retry) => {
    setAsking(true)
    await asked(t, document)
    await readDocumentAgain(document.id)
    setAsking(false)
  }
  if (document.status !== 'failed')
    return (
      <Button
        size={size}
        busy={isAsking}
        icon={<CircleStop aria-hidden className="icon" />}
        onClick={() => void ask(cancel)}
      >
        {t('card.cancel')}
      </Button>
    )
  return (
    <Button
      size={size}
      variant={size === 'md' ? 'primary' : 'secondary'}
      busy={isAsking}
      icon={<RotateCcw aria-hidden className="icon" />}
      onClick={() => void ask(retry)}
    >
      {t(isCancelled(document) ? 'preview.go_on' : 'common:actions.retry')}
    </Button>
  )
}
