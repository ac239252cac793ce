import { CircleCheck, CircleX, Clock } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { contentText, isCancelled, stateText } from '../../documents/documents.ts'

/** Type, size, amount of content and date, in one line. */
export function DocumentFacts({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const facts = [
    document.normalized_extension.toUpperCase() || t('preview.no_type'),
    sizeText(t, document.size),
    contentText(t, document),
    formatDate(document.created_at, { dateStyle: 'medium', timeStyle: 'short' }),
  ]
  return <span className="num block truncate text-12 text-ink-3">{facts.filter(Boolean).join(' · ')}</span>
}

/** Whether it can be read; the phase while it is processed. */
export function StatusBadge({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const text = stateText(t, document)
  if (document.status === 'completed')
    return (
      <Badge tone="success" icon={<CircleCheck aria-hidden />}>
        {text}
      </Badge>
    )
  if (document.status === 'failed')
    return (
      <Badge tone={isCancelled(document) ? 'neutral' : 'danger'} icon={<CircleX aria-hidden />}>
        {text}
      </Badge>
    )
  if (document.status === 'queued') return <Badge icon={<Clock aria-hidden />}>{text}</Badge>
  return (
    <Badge tone="accent" icon={<Spinner className="icon-12" />}>
      {text.toLocaleLowerCase()}
    </Badge>
  )
}
