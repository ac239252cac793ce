import { type KeyboardEvent, useRef, useState } from 'react'
import { MAX_CHECKPOINT_LABEL } from '#shared/chat/checkpoints/checkpoints.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { nameCheckpoint } from './read-checkpoints.ts'

type FieldProps = { id: string; label: string | null; placeholder: string; onEnd: () => void }

/** The name of a checkpoint as an inline field. Enter and blur save, Escape reverts; an empty name is not saved. */
export default function CheckpointNameField({ id, label, placeholder, onEnd }: FieldProps) {
  const { t } = useTranslation('streaming_blocks')
  const [typed, setTyped] = useState(label ?? '')
  // The field also loses focus when it disappears after Enter or Escape.
  const hasEnded = useRef(false)
  const end = (isKept: boolean) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd()
    const name = typed.trim() || null
    if (!isKept || name === label) return
    nameCheckpoint(id, name).catch((error) => toast.error(errorText(t, error)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposing(event)) return
    if (event.key === 'Enter') end(true)
    if (event.key === 'Escape') end(false)
  }
  return (
    <Input
      autoFocus
      aria-label={t('checkpoint.name')}
      value={typed}
      maxLength={MAX_CHECKPOINT_LABEL}
      placeholder={placeholder}
      className="h-7! min-w-0 flex-1 px-2! text-13!"
      onChange={(event) => setTyped(event.target.value)}
      onFocus={(event) => event.target.select()}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  )
}
