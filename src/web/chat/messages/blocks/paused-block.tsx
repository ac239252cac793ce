import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { CirclePause, Play, Wallet } from 'lucide-react'
import type { UsedUpBudget } from '#shared/money/budgets/budget-kinds.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { endTask, resumeTask } from '../standstill/task-actions.ts'
import { checkpointLabel } from './checkpoint-label.ts'
import { useCheckpoints } from './use-checkpoints.ts'

/** A paused run: why, where, that nothing was lost, and what to do. The composer has the primary button. */
export default function PausedBlock({ block }: { block: Extract<Block, { type: 'paused' }> }) {
  const { t } = useTranslation('streaming_blocks')
  const resuming = useAction(() => resumeTask(block.checkpoint_name, t))
  const ending = useAction(() => endTask(t))
  const { data } = useCheckpoints()
  const label = data?.findLast(({ checkpoint_name }) => checkpoint_name === block.checkpoint_name)?.label
  const place = label ?? checkpointLabel(t, block.checkpoint_name)
  const { reason, budget } = block
  const isUnpaid = reason === 'balance'
  const isStopped = isUnpaid || reason === 'budget'
  const Icon = isStopped ? Wallet : CirclePause
  return (
    <section
      role={isStopped ? 'alert' : 'status'}
      className={clsx(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border bg-bg px-4 py-3',
        isStopped ? 'border-danger/50' : 'border-line',
      )}
    >
      <Icon aria-hidden className={clsx('icon-18 flex-none', isStopped ? 'text-danger' : 'text-warning')} />
      <div className="min-w-52 flex-1">
        <p className="text-14 font-medium">
          {budget
            ? t(`pause.over_budget.${budget.kind}`)
            : t(isUnpaid ? 'common:errors.insufficient_balance' : 'pause.title')}
        </p>
        <p className="text-13 text-ink-2">
          {budget
            ? t(`pause.over_budget.${whenItResumes(budget)}`, { place })
            : t(isUnpaid ? 'pause.unpaid' : 'pause.text', { place })}
        </p>
      </div>
      <Button variant="ghost" busy={ending.isPending} onClick={() => void ending.run()}>
        {t('pause.end')}
      </Button>
      {isUnpaid && (
        <Link to="/user/billing" className={clsx(buttonLook(), 'no-underline')}>
          {t('pause.top_up')}
        </Link>
      )}
      {budget?.is_own && (
        <Link to="/user/{-$tab}" params={{ tab: 'keys' }} className={clsx(buttonLook(), 'no-underline')}>
          {t('pause.over_budget.raise')}
        </Link>
      )}
      {!isStopped && (
        <Button
          busy={resuming.isPending}
          icon={<Play aria-hidden className="icon" />}
          onClick={() => void resuming.run()}
        >
          {t('pause.resume')}
        </Button>
      )}
    </section>
  )
}

/** Returns the text that says when a run resumes that a budget paused. */
function whenItResumes({ is_own, kind, period }: UsedUpBudget) {
  if (is_own) return 'own'
  return kind === 'project' && period !== 'reply' ? (`project_${period}` as const) : period
}
