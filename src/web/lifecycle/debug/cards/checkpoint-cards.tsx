import clsx from 'clsx'
import { Milestone, Play } from 'lucide-react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { formatClock } from '../events/connection-badge.tsx'
import { DebugCard } from './debug-card.tsx'
import type { useAgentTest } from './use-agent-test.ts'

type ResumeCardProps = { test: ReturnType<typeof useAgentTest>; checkpoints: Checkpoint[] }

/** Resumes a paused agent from a selected checkpoint. */
export function ResumeCard({ test, checkpoints }: ResumeCardProps) {
  const { t } = useTranslation('admin')
  const newestFirst = checkpoints.toReversed()
  const latest = newestFirst[0]
  return (
    <DebugCard title={t('debug.resume_from')}>
      <div className="flex gap-2">
        <Select
          aria-label={t('debug.checkpoint')}
          value={test.chosenId}
          onValueChange={test.setChosenId}
          className="min-w-0 flex-1"
          options={[
            { value: '', label: t('debug.pick_checkpoint') },
            ...newestFirst.map(({ id, checkpoint_name, created_at }) => ({
              value: id,
              label: `${checkpoint_name} · ${formatClock(created_at)}`,
            })),
          ]}
        />
        <Button
          icon={<Play aria-hidden className="icon-14" />}
          busy={test.busy === 'resume'}
          onClick={test.resumeChosen}
        >
          {t('debug.resume')}
        </Button>
      </div>
      <p className="text-12 text-ink-3">
        {latest && t('debug.paused_at', { name: latest.checkpoint_name })} {t('debug.older_branches')}
      </p>
    </DebugCard>
  )
}

type CheckpointsCardProps = { checkpoints: Checkpoint[]; isPending: boolean; error: unknown }

/** Checkpoints of the session's agents with their times, newest last. */
export function CheckpointsCard({ checkpoints, isPending, error }: CheckpointsCardProps) {
  const { t } = useTranslation('admin')
  const isEmpty = checkpoints.length === 0
  return (
    <DebugCard
      title={t('debug.checkpoints')}
      aside={!isEmpty && <span className="num text-12 text-ink-3">{checkpoints.length}</span>}
    >
      {error !== null && (
        <p role="alert" className="text-12 text-danger">
          {errorText(t, error)}
        </p>
      )}
      {isEmpty && error === null && (
        <p className="text-12 text-ink-3">{t(isPending ? 'debug.loading' : 'debug.checkpoints_empty')}</p>
      )}
      {!isEmpty && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <ol tabIndex={0} aria-label={t('debug.checkpoints')} className="max-h-64 overflow-y-auto">
          {checkpoints.map(({ id, checkpoint_name, created_at }, at) => (
            <li key={id} className="flex h-8 items-center gap-2.5 border-line text-13 [&+li]:border-t">
              <Milestone
                aria-hidden
                className={clsx('icon-14', at === checkpoints.length - 1 ? 'text-accent' : 'text-ink-3')}
              />
              <span className="min-w-0 flex-1 truncate font-mono">{checkpoint_name}</span>
              <time dateTime={created_at} className="num text-12 text-ink-3">
                {formatClock(created_at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </DebugCard>
  )
}
