import { GitBranch } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { gapOf, type MessageState, useMessages } from '../chat/message-store.ts'
import { goToBranch } from './switch-branch.ts'
import { useBranchMap } from './use-branch-map.ts'

/**
 * Below a reply: how much follows on another branch that is longer than the current one, from alternatives of the reply or
 * of its question.
 */
export function HiddenFuture({ messageId }: { messageId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const forkId = useMessages((state) => hiddenFork(state, messageId))
  const fork = useMessages((state) => state.forks[forkId ?? ''])
  const isLast = useMessages((state) => state.order.at(-1) === messageId)
  if (!fork) return null
  return (
    <Notice
      text={t('branch.later', { count: fork.later })}
      more={isLast ? t('branch.writing_here') : null}
      onGo={() => void goToBranch(fork.later_id, t)}
    />
  )
}

/** At the end of the chat: a reply is being written on another branch. */
export function WritingElsewhere() {
  const { t } = useTranslation('streaming_blocks')
  const elsewhereId = useMessages((state) => state.elsewhereId)
  if (elsewhereId === null) return null
  return <Notice text={t('branch.elsewhere')} more={null} onGo={() => void goToBranch(elsewhereId, t)} />
}

function Notice({ text, more, onGo }: { text: string; more: string | null; onGo: () => void }) {
  const { t } = useTranslation('streaming_blocks')
  const { isOpen, toggle } = useBranchMap()
  return (
    <div
      role="note"
      className="mt-4.5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-dashed border-line-strong bg-surface py-2 pr-2 pl-3.5 text-13"
    >
      <GitBranch aria-hidden className="icon flex-none text-ink-3" />
      <p className="min-w-0 flex-1 basis-50">
        <span className="font-medium">{text}</span> {more && <span className="text-ink-2">{more}</span>}
      </p>
      <span className="flex gap-1">
        <Button variant="ghost" size="sm" onClick={onGo}>
          {t('branch.go_there')}
        </Button>
        <Button size="sm" aria-expanded={isOpen} onClick={toggle}>
          {t('panel.branches')}
        </Button>
      </span>
    </div>
  )
}

/** Returns the fork with a longer alternative than the messages shown after it; null without one. */
export function hiddenFork(state: MessageState, messageId: string): string | null {
  const { forks, order, messagesById } = state
  const message = messagesById[messageId]
  const parentId = message?.parent_id ?? ''
  if (message?.role !== 'assistant' || !(forks[messageId] || forks[parentId])) return null
  const at = order.indexOf(messageId)
  const gap = gapOf(state)
  const following = (place: number) => order.length - 1 - place + (gap && gap.at >= place ? gap.count : 0)
  const reaches = (id: string, place: number) => (forks[id]?.later ?? 0) > following(place)
  if (reaches(messageId, at)) return messageId
  return order[at - 1] === parentId && reaches(parentId, at - 1) ? parentId : null
}
