import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, CircleX, X } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { FillBar } from '../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { AT_ONCE, cancelAll, closeUploads, mayRetry, retryFile, useUploads } from './queue.ts'
import { isUnderWay } from './upload.ts'
import { UploadRow } from './upload-row.tsx'
import { leftText, progressText, sumOf } from './upload-sum.ts'
import './uploads.css'

/** Rows rendered per group; the others are counted. */
const MAX_ROWS = 30
const ConfirmDialog = lazy(() =>
  import('../../platform/ui/overlays/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
)

/** The uploads, shown over every view while navigating. */
export function UploadPanel() {
  const { t } = useTranslation('documents')
  const { items: all, since } = useUploads()
  const path = useLocation({ select: ({ pathname }) => pathname })
  // The current chat shows its own files in its composer.
  const items = useMemo(
    () => all.filter(({ target }) => !target.sessionId || path !== `/chat/${target.sessionId}`),
    [all, path],
  )
  const [isFolded, setFolded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const sum = useMemo(() => sumOf(items), [items])
  if (items.length === 0) return null
  const running = items.filter(({ state }) => state === 'sending' || state === 'lost')
  const failed = items.filter(({ state }) => state === 'failed')
  const done = items.filter(({ state }) => state === 'done')
  const again = failed.filter(mayRetry)
  const close = () => (items.some(isUnderWay) ? setAsking(true) : closeUploads())
  const Chevron = isFolded ? ChevronUp : ChevronDown
  return (
    <section aria-label={t('upload.panel')} className="uploads">
      <header className="uploads-head">
        <div className="flex items-center gap-2">
          <h2 role="status" className="min-w-0 flex-1 truncate text-14 font-semibold">
            {t(sum.isOver ? (failed.length > 0 ? 'upload.over_failed' : 'upload.over') : 'upload.title', {
              count: sum.isOver ? done.length : sum.files,
              failed: failed.length,
            })}
          </h2>
          <IconButton
            name={t(isFolded ? 'upload.unfold' : 'upload.fold')}
            size="sm"
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
          >
            <Chevron aria-hidden className="icon" />
          </IconButton>
          <IconButton name={t('upload.close')} size="sm" onClick={close}>
            <X aria-hidden className="icon" />
          </IconButton>
        </div>
        {!sum.isOver && (
          <>
            <p className="num flex justify-between gap-2 text-12 text-ink-2">
              <span className="truncate">{progressText(t, sum)}</span>
              <span className="whitespace-nowrap">{leftText(t, sum, since)}</span>
            </p>
            <div
              role="progressbar"
              aria-label={t('upload.panel')}
              aria-valuenow={sum.percent}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <FillBar value={sum.percent} className="mt-2" />
            </div>
          </>
        )}
      </header>
      {!isFolded && (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ul>
            {running.map((item) => (
              <UploadRow key={item.id} upload={item} />
            ))}
          </ul>
          {failed.length > 0 && (
            <>
              <Group
                end={
                  again.length > 0 && (
                    <Button variant="link" size="sm" onClick={() => again.map(({ id }) => retryFile(id))}>
                      {t('upload.retry_all', { count: again.length })}
                    </Button>
                  )
                }
              >
                <span className="flex items-center gap-1.5 text-danger">
                  <CircleX aria-hidden className="icon-12" />
                  {t('upload.not_uploaded', { count: failed.length })}
                </span>
              </Group>
              <ul>
                {failed.slice(0, MAX_ROWS).map((item) => (
                  <UploadRow key={item.id} upload={item} />
                ))}
              </ul>
            </>
          )}
          {done.length > 0 && (
            <Group
              end={
                <Link to="/documents" className="font-medium text-accent hover:underline">
                  {t('upload.show')}
                </Link>
              }
            >
              {t('upload.arrived', { count: done.length })}
            </Group>
          )}
          {sum.waiting > 0 && (
            <Group end={<span className="text-ink-3">{t('upload.at_once', { count: AT_ONCE })}</span>}>
              {t('upload.in_line', { count: sum.waiting })}
            </Group>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title={t('upload.stop_title')}
          message={t('upload.stop_text', { count: sum.files - done.length })}
          confirmLabel={t('upload.stop')}
          onConfirm={() => {
            setAsking(false)
            cancelAll()
            closeUploads()
          }}
        />
      </Suspense>
    </section>
  )
}

function Group({ children, end }: { children: React.ReactNode; end: React.ReactNode }) {
  return (
    <div className="uploads-group">
      {children}
      {end && <span className="ml-auto">{end}</span>}
    </div>
  )
}
