import { beliefParts, keepsBeliefs } from '#shared/chat/beliefs/beliefs.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { BeliefView } from './belief-view.tsx'
import { useBelief } from './use-belief.ts'

/** The working memory of the chat: goals, facts and open questions, each linked to its message. */
export function BeliefSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const isOff = useIsOff()
  const { data, isError, refetch } = useBelief(sessionId)
  if (!data && isError)
    return (
      <div className="grid justify-items-start gap-2 p-4 text-13 text-ink-2">
        {t('belief.load_failed')}
        <Button size="sm" onClick={() => void refetch()}>
          {t('common:actions.retry')}
        </Button>
      </div>
    )
  if (!data) return <SectionSkeleton />
  return <BeliefView belief={data} isOff={isOff} />
}

/** The number of facts, or that the working memory is off. */
export function BeliefNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const isOff = useIsOff()
  const { data } = useBelief(sessionId)
  if (data && beliefParts.some((part) => data[part].length > 0))
    return t('belief.count', { count: data.facts.length })
  return isOff ? t('belief.off_short') : null
}

function useIsOff(): boolean {
  const me = useMe()
  return me !== null && !keepsBeliefs(me.preferences)
}

function SectionSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('belief.loading')}>
      <Skeletons sizes={['h-3 w-20', 'h-4 w-full', 'h-4 w-3/4']} />
    </div>
  )
}
