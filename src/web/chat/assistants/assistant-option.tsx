import clsx from 'clsx'
import { Check, CircleSlash2 } from 'lucide-react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { AssistantIcon } from './assistant-icon.tsx'

type AssistantOptionProps = {
  id: string
  /** Null: none. */
  assistant: ListedAssistant | null
  isCurrent: boolean
  isActive: boolean
  onChoose: () => void
  onPoint: () => void
}

/** One choice with its name and description. */
export function AssistantOption({
  id,
  assistant,
  isCurrent,
  isActive,
  onChoose,
  onPoint,
}: AssistantOptionProps) {
  const { t } = useTranslation('assistant')
  const note = assistant ? assistant.description : t('none_note')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field or the list, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field or the list has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onChoose}
      onPointerMove={onPoint}
      className={clsx(
        'grid cursor-pointer grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 rounded-control px-2.5 py-[7px]',
        isActive && 'bg-surface-2',
      )}
    >
      {assistant ? (
        <AssistantIcon name={assistant.icon} />
      ) : (
        <CircleSlash2 aria-hidden className="icon text-ink-2" />
      )}
      <span dir="auto" className="truncate text-13 font-medium">
        {assistant ? assistant.name : t('none')}
      </span>
      <span className="flex items-center gap-1.5 text-12 text-ink-3">
        {assistant?.status === 'draft' && t('draft')}
        {isCurrent && <Check aria-hidden className="icon-14 text-accent" />}
      </span>
      {note && (
        <span dir="auto" className="col-span-2 col-start-2 line-clamp-2 text-12 text-ink-2">
          {note}
        </span>
      )}
    </div>
  )
}
