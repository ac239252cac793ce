import { Eye, History } from 'lucide-react'
import type { DocumentVersion } from '#shared/knowledge/documents/versions.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'

type Props = {
  version: DocumentVersion
  /** The previous version. */
  before: DocumentVersion | undefined
  isShown: boolean
  isRestoring: boolean
  onOpen: () => void
  /** Null for people who may only read the document. */
  onRestore: (() => void) | null
}

/** A version: its date, its size compared with the previous one, and its actions. */
export function VersionRow({ version, before, isShown, isRestoring, onOpen, onRestore }: Props) {
  const { t } = useTranslation('documents')
  const { is_in_use, created_at, name } = version
  const number = t('versions.number', { version: version.version })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2 text-13 font-medium">
          {number}
          {is_in_use && <Badge tone="success">{t('versions.in_use')}</Badge>}
        </p>
        <p className="num truncate text-12 text-ink-2" title={name}>
          {formatDate(created_at, { dateStyle: 'medium', timeStyle: 'short' })} ·{' '}
          {sizesText(t, version, before)}
        </p>
        <p className="truncate text-12 text-ink-3">
          {name} · {t(`pipeline.${version.processing_pipeline}`)}
        </p>
      </div>
      <span className="flex gap-1.5">
        {!isShown && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`${t('versions.open')}: ${number}`}
            icon={<Eye aria-hidden className="icon-14" />}
            onClick={onOpen}
          >
            {t('versions.open')}
          </Button>
        )}
        {!is_in_use && onRestore && (
          <Button
            size="sm"
            busy={isRestoring}
            aria-label={`${t('versions.restore')}: ${number}`}
            icon={<History aria-hidden className="icon-14" />}
            onClick={onRestore}
          >
            {t('versions.restore')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** Returns its size, and the difference to the previous file. */
function sizesText(t: TFunction, version: DocumentVersion, before: DocumentVersion | undefined): string {
  const size = sizeText(t, version.size)
  if (version.is_same_file) return `${size}, ${t('versions.same_file')}`
  if (!before) return size
  const change = version.size - before.size
  if (change === 0) return `${size}, ${t('versions.same_size')}`
  return `${size}, ${t(change > 0 ? 'versions.larger' : 'versions.smaller', { size: sizeText(t, Math.abs(change)) })}`
}
