import { X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** Names the project that the palette is limited to. A click removes the limit. */
export function ProjectChip({ name, onRemove }: { name: string | null; onRemove: () => void }) {
  const { t } = useTranslation('palette')
  const shown = name ?? t('one_project')
  return (
    <button
      type="button"
      data-chip="project"
      aria-label={t('remove_project', { name: shown })}
      className="inline-flex h-7 max-w-[40%] flex-none items-center gap-1.5 rounded-pill bg-accent-soft pr-2 pl-3 text-12 font-medium text-accent max-md:h-9"
      onClick={onRemove}
    >
      <span dir="auto" className="truncate">
        {shown}
      </span>
      <X aria-hidden className="icon-12 flex-none" />
    </button>
  )
}
