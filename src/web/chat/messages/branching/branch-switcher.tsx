import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { useMessages } from '../chat/message-store.ts'
import { readOptions, stepBranch } from './switch-branch.ts'

/** The position of a message among its alternatives, with buttons to the others; nothing without alternatives. */
export function BranchSwitcher({ messageId, place }: { messageId: string; place: string }) {
  const { t } = useTranslation('streaming_blocks')
  const index = useMessages((state) => state.branchIndex[messageId])
  const count = useMessages((state) => state.forks[messageId]?.count ?? 1)
  if (index === undefined || count < 2) return null
  const read = () => void readOptions(messageId).catch(() => undefined)
  const go = async (step: 1 | -1) => {
    await stepBranch(messageId, step, t)
    // The alternative may be rendered elsewhere in the page, so the focus follows.
    const selector = `[data-message="${CSS.escape(place)}"] [data-step="${step}"]`
    const button = document.querySelector<HTMLElement>(selector)
    if (document.activeElement === document.body) button?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <span
      role="group"
      aria-label={t('branch.position', { number: index + 1, count })}
      className="num inline-flex items-center text-12 text-ink-2"
      onPointerEnter={read}
      onFocus={read}
    >
      <IconButton name={t('branch.previous')} data-step="-1" size="sm" onClick={() => void go(-1)}>
        <ChevronLeft aria-hidden className="icon-14" />
      </IconButton>
      <span aria-hidden>
        {index + 1} / {count}
      </span>
      <IconButton name={t('branch.next')} data-step="1" size="sm" onClick={() => void go(1)}>
        <ChevronRight aria-hidden className="icon-14" />
      </IconButton>
    </span>
  )
}
