import { Link } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import type { UsedFact } from '#shared/chat/memory/memory.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { MaskedDetails } from '../masking/masking.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { type MemoryOfReply, useChatMemory, useFreshMemory } from './use-chat-memory.ts'

/** Lists the facts a reply was given, with links to their messages. */
export function UsedFacts({ sessionId, messageId, createdAt }: MemoryOfReply) {
  const { t } = useTranslation('memory')
  const { data } = useChatMemory(sessionId)
  useFreshMemory(sessionId, messageId, createdAt)
  const [isOpen, setOpen] = useState(false)
  const isShown = useIsOpen('memory')
  const facts = data?.used.find((one) => one.message_id === messageId)?.facts ?? []
  if (!isShown || facts.length === 0) return null
  return (
    <Popover
      name={t('used.title')}
      side="top"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-90"
      trigger={
        <IconButton name={t('used.open', { count: facts.length })}>
          <Bookmark aria-hidden className="icon" />
        </IconButton>
      }
    >
      <div className="grid gap-2">
        <div className="flex items-baseline gap-2">
          <h3 className="text-13 font-semibold">{t('used.title')}</h3>
          <span className="num flex-1 text-12 text-ink-3">{t('used.count', { count: facts.length })}</span>
          <Link to="/memory" className="text-12 font-medium text-accent hover:underline">
            {t('used.manage')}
          </Link>
        </div>
        <ul aria-label={t('used.title')} className="grid max-h-80 gap-2 overflow-y-auto">
          {facts.map((fact) => (
            <UsedRow key={fact.id} fact={fact} onLeave={() => setOpen(false)} />
          ))}
        </ul>
      </div>
    </Popover>
  )
}

function UsedRow({
  fact: { text, project, source, learned_at },
  onLeave,
}: {
  fact: UsedFact
  onLeave: () => void
}) {
  const { t } = useTranslation('memory')
  return (
    <li className="grid gap-0.5">
      <span className="text-13 wrap-anywhere">{text}</span>
      <span className="flex flex-wrap gap-x-2 text-12 text-ink-3">
        {project && <span className="font-medium text-ink-2">{project.name}</span>}
        <span className="num">{t('learned', { date: formatDate(learned_at) })}</span>
        {source && (
          <Link
            to="/chat/$sessionId"
            params={{ sessionId: source.session_id }}
            search={{ message: source.message_id } as never}
            onClick={onLeave}
            className="text-accent hover:underline"
          >
            {t('source')}
          </Link>
        )}
      </span>
    </li>
  )
}

/** The personal details that were replaced for a reply, and the facts proposed with it. */
export function Proposals(reply: MemoryOfReply) {
  return (
    <>
      <MaskedDetails {...reply} />
      <ProposedFacts {...reply} />
    </>
  )
}

/** The proposals that came with a reply; the last reply also has those of replies that are gone. */
function ProposedFacts({ sessionId, messageId, isLast }: MemoryOfReply) {
  const { data } = useChatMemory(sessionId)
  const isOpen = useIsOpen('memory')
  const shown = (data?.proposals ?? []).filter(
    (one) => one.message_id === messageId || (isLast && !one.message_id),
  )
  if (!isOpen || shown.length === 0) return null
  return (
    <div className="mt-3 grid gap-2 print:hidden">
      {shown.map(({ fact }) => (
        <ProposalCard key={fact.id} fact={fact} project={data?.project ?? null} />
      ))}
    </div>
  )
}
