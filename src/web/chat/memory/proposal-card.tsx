import { useMutation } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { type ChatMemory, decideFact } from '#shared/chat/memory/memory.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refreshMemory } from './use-chat-memory.ts'

type Decision = { accept: boolean; replace?: boolean }

/** Answers a proposal. Answered in another window, it is as that answer left it. */
export function useDecision(fact: Fact, workspaceId: string | null) {
  const { t } = useTranslation('memory')
  return useMutation({
    mutationFn: (decision: Decision) =>
      call(decideFact, { params: { factId: fact.id }, body: { ...decision, workspace_id: workspaceId } }),
    onSuccess: (_, { accept }) => {
      if (accept) toast.success(t('proposal.kept'))
    },
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: refreshMemory,
  })
}

/** A proposed fact with the fact it contradicts, its source, and the answers. */
export function ProposalCard({ fact, project }: { fact: Fact; project: ChatMemory['project'] }) {
  const { t } = useTranslation('memory')
  const [isForProject, setForProject] = useState(false)
  const { mutate, isPending } = useDecision(fact, isForProject && project ? project.id : null)
  const { text, contradicts } = fact
  return (
    <section
      aria-label={t('proposal.title')}
      className="grid gap-2.5 rounded-card border border-line bg-surface px-4 py-3"
    >
      <h3 className="flex items-center gap-2 text-12 font-medium text-ink-2">
        <Bookmark aria-hidden className="icon-14 flex-none text-accent" />
        {t(contradicts ? 'proposal.contradicts' : 'proposal.title')}
      </h3>
      {contradicts && (
        <p className="text-13 text-ink-2 wrap-anywhere">
          <span className="text-ink-3">{t('proposal.now')}</span> {contradicts.text}
        </p>
      )}
      <p className="text-14 font-medium wrap-anywhere">
        {contradicts && <span className="text-13 font-normal text-ink-3">{t('proposal.new')} </span>}
        {text}
      </p>
      {project?.can_add && (
        <div className="flex flex-wrap items-center gap-2 text-12 text-ink-3">
          {t('told_in')}
          <Choice name={t('told_in')}>
            <Segment isOn={!isForProject} onClick={() => setForProject(false)}>
              {t('all_chats')}
            </Segment>
            <Segment isOn={isForProject} onClick={() => setForProject(true)}>
              {project.name}
            </Segment>
          </Choice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-56 text-12 text-ink-3">
          {t(contradicts ? 'proposal.history_note' : 'proposal.note')}
        </p>
        <Button size="sm" variant="ghost" disabled={isPending} onClick={() => mutate({ accept: false })}>
          {t(contradicts ? 'proposal.keep_old' : 'proposal.reject')}
        </Button>
        {contradicts && (
          <Button size="sm" disabled={isPending} onClick={() => mutate({ accept: true, replace: false })}>
            {t('proposal.keep_both')}
          </Button>
        )}
        <Button size="sm" busy={isPending} onClick={() => mutate({ accept: true })}>
          {t(contradicts ? 'proposal.replace' : 'proposal.accept')}
        </Button>
      </div>
    </section>
  )
}
