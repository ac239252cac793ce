import { GitBranch } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMessages } from '../chat/message-store.ts'
import { useBranchMap } from './use-branch-map.ts'

/** The current branch of the chat, next to its title; opens the map. Hidden if there is only one. */
export function BranchBadge() {
  const { t } = useTranslation('streaming_blocks')
  const number = useMessages((state) => state.branchNumber)
  const count = useMessages((state) => state.branchCount)
  const { isOpen, toggle } = useBranchMap()
  if (count < 2) return null
  const name = t('branch.badge', { number, count })
  return (
    <button
      type="button"
      aria-label={name}
      aria-expanded={isOpen}
      data-tip={t('panel.branches')}
      onClick={toggle}
      className="inline-flex h-5 flex-none items-center gap-1 rounded-pill bg-surface-2 px-1.5 text-12 leading-none font-medium whitespace-nowrap text-ink-2 hover-motion hover:text-ink max-md:h-9 max-md:px-2.5"
    >
      <GitBranch aria-hidden className="icon-12" />
      <span className="max-lg:hidden">{name}</span>
      <span className="num lg:hidden">
        {number}/{count}
      </span>
    </button>
  )
}
