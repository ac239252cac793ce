import { ListPlus, Milestone, Pause, Play, SendHorizontal } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import { DebugCard } from './debug-card.tsx'
import type { useAgentTest } from './use-agent-test.ts'

type Props = { test: ReturnType<typeof useAgentTest>; session: Session | null }

/** Message box for the agent, with actions on its run. */
export function FeatureCard({ test, session }: Props) {
  const { t } = useTranslation('admin')
  const isProcessing = session?.agent_status === 'processing' && session.processing_task_id !== null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return
    event.preventDefault()
    test.send()
  }
  return (
    <DebugCard title={t('debug.feature_testing')}>
      <div className="flex items-stretch gap-2 max-md:flex-col">
        <Textarea
          aria-label={t('debug.message')}
          placeholder={t('debug.message')}
          value={test.message}
          onChange={({ target }) => test.setMessage(target.value)}
          onKeyDown={onKeyDown}
          className="max-h-60 !min-h-15 flex-1"
        />
        <Button
          variant="primary"
          icon={<SendHorizontal aria-hidden className="icon" />}
          busy={test.busy === 'send'}
          className="!h-auto max-md:!h-11"
          onClick={test.send}
        >
          {t('debug.send_message')}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<ListPlus aria-hidden className="icon-14" />} onClick={test.testTask}>
          {t('debug.test_task')}
        </Button>
        <Button
          icon={<Milestone aria-hidden className="icon-14" />}
          busy={test.busy === 'fetch'}
          onClick={test.fetchCheckpoints}
        >
          {t('debug.fetch_checkpoints')}
        </Button>
        <Button
          icon={<Pause aria-hidden className="icon-14" />}
          aria-disabled={!isProcessing}
          busy={test.busy === 'pause'}
          className={isProcessing ? undefined : 'border-transparent! bg-surface-2! text-ink-3!'}
          onClick={test.pause}
        >
          {t('debug.pause_agent')}
        </Button>
        <Button
          icon={<Play aria-hidden className="icon-14" />}
          busy={test.busy === 'resume'}
          onClick={test.resumeLatest}
        >
          {t('debug.resume_latest')}
        </Button>
        {session && !session.processing_task_id && !test.notice && (
          <span className="text-12 text-ink-3">{t('debug.no_task')}</span>
        )}
      </div>
      {test.notice && (
        <p role="alert" className="text-13 text-danger">
          {test.notice}
        </p>
      )}
    </DebugCard>
  )
}
