import { LockOpen, MicOff, X } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { Trouble } from './use-recorder.ts'

type TroubleLineProps = { trouble: Trouble; onRetry: () => void; onAttach: () => void; onClose: () => void }

/** Explains why nothing is recorded and what to do, until it is closed. */
export function TroubleLine({ trouble, onRetry, onAttach, onClose }: TroubleLineProps) {
  const { t } = useTranslation('documents')
  const isDenied = trouble === 'denied'
  const Icon = isDenied ? MicOff : LockOpen
  return (
    <div
      role="alert"
      className={`mb-2 flex items-center gap-2.5 rounded-row px-3 py-2.5 text-13 leading-[18px] ${isDenied ? 'bg-warning-soft' : 'bg-surface-2'}`}
    >
      <Icon aria-hidden className={`icon flex-none ${isDenied ? 'text-warning' : 'text-ink-2'}`} />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{t(`recorder.${trouble}`)}</span> {t(`recorder.${trouble}_note`)}
      </p>
      <Button size="sm" onClick={isDenied ? onRetry : onAttach}>
        {t(isDenied ? 'common:actions.retry' : 'recorder.attach')}
      </Button>
      <IconButton name={t('common:actions.close')} size="sm" onClick={onClose}>
        <X aria-hidden className="icon-14" />
      </IconButton>
    </div>
  )
}
