import { CircleAlert, CircleDot } from 'lucide-react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'

type SaveBarProps = {
  changes: number
  saving: { isPending: boolean; isError: boolean; error: Error | null }
  onDiscard: () => void
  onSave: () => void
}

/** Floating bar with the number of unsaved changes and buttons to save or discard them. */
export function SaveBar({ changes, saving, onDiscard, onSave }: SaveBarProps) {
  const { t } = useTranslation('common')
  return (
    <section
      aria-label={t('user.save.label')}
      className="pointer-events-none absolute inset-x-4 bottom-5 z-(--z-float) flex flex-col items-center gap-2"
    >
      <div className="pointer-events-auto flex max-w-full flex-wrap items-center justify-end gap-2 rounded-dialog bg-raised py-2 pr-2 pl-4 shadow-float">
        {saving.isError && (
          <p role="alert" className="flex w-full max-w-120 items-start gap-2 pt-1 pr-2 text-13 text-danger">
            <CircleAlert aria-hidden className="icon-14 mt-0.5" />
            <span>
              {t('user.save.failed')} {errorText(t, saving.error)}
            </span>
          </p>
        )}
        <span role="status" className="mr-auto flex items-center gap-2 text-13 max-sm:w-full">
          <CircleDot aria-hidden className="icon-14 text-accent" />
          {t('user.save.changes', { count: changes })}
        </span>
        <span aria-hidden className="mx-1 h-4 w-px bg-line-2 max-md:hidden" />
        <Button variant="ghost" disabled={saving.isPending} onClick={onDiscard}>
          {t('user.save.discard')}
        </Button>
        <Button variant="primary" busy={saving.isPending} onClick={onSave}>
          {t('user.save.save')}
        </Button>
      </div>
    </section>
  )
}
