import clsx from 'clsx'
import type { ComparedReply } from '#shared/chat/comparisons/comparisons.ts'
import type { StepBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Markdown } from '../../../platform/markdown/markdown.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { goToBranch } from '../branching/switch-branch.ts'
import { costOf } from '../transcript/reply-note.ts'

type ComparisonColumnProps = {
  step: StepBlock
  reply: ComparedReply | undefined
  /** The comparison, which the kept reply replaces on screen. */
  from: string
  /** Another tab is shown on a phone. */
  isHidden: boolean
  isStreaming: boolean
}

/** The reply of one model, with time, tokens and price. Keeping it makes it the reply of the chat. */
export function ComparisonColumn({ step, reply, from, isHidden, isStreaming }: ComparisonColumnProps) {
  const { t } = useTranslation('streaming_blocks')
  const keeping = useAction(() => goToBranch(reply?.message_id ?? null, t, from))
  const isWorking = isStreaming && !step.completed && !step.failed
  const letter = String.fromCharCode(64 + step.number)
  return (
    <article
      aria-label={step.description}
      className={clsx(
        'flex min-w-0 flex-col rounded-card border border-line bg-raised',
        isHidden && 'max-md:hidden',
      )}
    >
      <header className="flex min-h-11 items-center gap-2.5 border-b border-line px-3 text-13">
        <span
          aria-hidden
          className="grid size-5 flex-none place-items-center rounded-full bg-surface-3 text-11 font-semibold"
        >
          {letter}
        </span>
        <h3 className="min-w-0 flex-1 truncate font-medium">{step.description}</h3>
        {isWorking && <Spinner className="icon-14 text-accent" />}
      </header>
      <div className={clsx('min-h-24 flex-1 px-4 py-3', step.failed && 'text-danger')}>
        {step.failed ? (
          <p className="text-14">{reply?.error ?? step.message}</p>
        ) : (
          step.message && <Markdown text={step.message} growing={isWorking} className="text-15" />
        )}
      </div>
      <footer className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-3 py-2">
        <span className="num min-w-0 flex-1 text-12 text-ink-3">
          {reply?.usage ? costOf(reply.usage, t).join(' · ') : ''}
        </span>
        {reply?.message_id && (
          <Button size="sm" busy={keeping.isPending} onClick={() => void keeping.run()}>
            {t('comparison.keep')}
          </Button>
        )}
      </footer>
    </article>
  )
}
