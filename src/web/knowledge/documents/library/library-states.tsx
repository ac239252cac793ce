import { FolderX, RotateCcw, SearchX, Upload } from 'lucide-react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import type { CardVariant } from './library-filter.ts'
import { useLibraryState } from './use-library.ts'

const kinds = ['pdf', 'docx', 'xlsx', 'pptx', 'eml', 'mp4']

type LibraryEmptyProps = { mayUpload: boolean; onFiles: () => void; onFolder: () => void }

/** Explains an empty library and how to add documents. */
export function LibraryEmpty({ mayUpload, onFiles, onFolder }: LibraryEmptyProps) {
  const { t } = useTranslation('documents')
  const { data } = useLibraryState()
  return (
    <div className="library-empty">
      <div className="library-invite">
        <span className="flex flex-wrap justify-center gap-2">
          {kinds.map((kind) => (
            <FileTile key={kind} extension={kind} size="lg" />
          ))}
        </span>
        <h2 className="mt-3 text-22 font-semibold">{t('empty.title')}</h2>
        <p className="text-ink-2">{t(mayUpload ? 'empty.text' : 'common:closed.uploads')}</p>
        {mayUpload && (
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            <Button variant="primary" icon={<Upload aria-hidden className="icon" />} onClick={onFiles}>
              {t('upload.files')}
            </Button>
            <Button onClick={onFolder}>{t('upload.folder')}</Button>
          </div>
        )}
        {mayUpload && data && (
          <p className="mt-3 text-12 text-ink-3">
            {t('empty.limit', { size: sizeText(t, data.max_upload) })}
          </p>
        )}
      </div>
    </div>
  )
}

export function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('documents')
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t('no_match.title')}
      action={<Button onClick={onClear}>{t('no_match.clear')}</Button>}
    >
      {t('no_match.text')}
    </EmptyState>
  )
}

/** The workspace in the address does not exist, or belongs to someone else. */
export function NoWorkspace({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation('documents')
  return (
    <EmptyState
      page
      icon={<FolderX aria-hidden />}
      title={t('no_workspace.title')}
      action={<Button onClick={onLeave}>{t('no_workspace.leave')}</Button>}
    >
      {t('no_workspace.text')}
    </EmptyState>
  )
}

export function LoadFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('documents')
  return (
    <Callout
      tone="danger"
      title={t('load_failed')}
      action={
        <Button size="sm" icon={<RotateCcw aria-hidden className="icon-14" />} onClick={onRetry}>
          {t('common:actions.retry')}
        </Button>
      }
    >
      {errorText(t, error)}
    </Callout>
  )
}

/** The storage is full: uploads are refused, and everything stays readable. */
export function StorageFull() {
  const { t } = useTranslation('documents')
  const { data } = useLibraryState()
  if (!data || data.storage.limit === null || data.storage.used < data.storage.limit) return null
  return (
    <Callout
      tone="danger"
      title={t('full.title', { limit: sizeText(t, data.storage.limit) })}
      className="mb-3"
    >
      {t('full.text')}
    </Callout>
  )
}

/** Tells administrators what this installation cannot read, and what to install. */
export function MissingPrograms() {
  const { t } = useTranslation('documents')
  const me = useMe()
  const { data } = useLibraryState()
  if (!data || data.missing.length === 0 || !isAdmin(me)) return null
  return (
    <Callout tone="warning" title={t('missing_programs.title')} className="mb-3">
      {data.missing.map(({ program, package: name, formats }) => (
        <p key={program}>
          {t('missing_programs.text', {
            ...{ program, package: name },
            formats: formats.join(', ').toUpperCase(),
          })}
        </p>
      ))}
    </Callout>
  )
}

export function LibrarySkeleton({ variant }: { variant: CardVariant }) {
  const { t } = useTranslation('documents')
  return (
    <div role="status" className="library-loading" data-variant={variant}>
      <span className="sr-only">{t('loading')}</span>
      <Delayed>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} className="library-blank" />
        ))}
      </Delayed>
    </div>
  )
}
