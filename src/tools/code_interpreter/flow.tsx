import clsx from 'clsx'
import { ChevronRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useId, useState } from 'react'
import { CitedText } from '../../web/platform/citations/citations.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Spinner } from '../../web/platform/ui/states/spinner.tsx'
import type { CodeWork, ShownRound } from './read-work.ts'

type State = ShownRound['status'] | 'pending'

/** Shows the steps of the plan with their programs. Each expands to its code and output. */
export function Flow({ plan, rounds }: Pick<CodeWork, 'plan' | 'rounds'>) {
  const { t } = useTranslation('tool_ui')
  const begun = new Set(rounds.map(({ step }) => step))
  const left = (plan ?? []).filter((step) => !begun.has(step))
  if (rounds.length + left.length === 0) return null
  return (
    <ol aria-label={t('code_interpreter.flow')} className="grid gap-1">
      {rounds.map((round) => (
        <Step key={round.number} name={round.step} state={round.status} round={round} />
      ))}
      {left.map((step) => (
        <Step key={step} name={step} state="pending" round={null} />
      ))}
    </ol>
  )
}

function Step({ name, state, round }: { name: string; state: State; round: ShownRound | null }) {
  const { t } = useTranslation('tool_ui')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const canOpen = round !== null && (round.code !== '' || round.output !== '')
  return (
    <li className="min-w-0">
      <button
        type="button"
        disabled={!canOpen}
        aria-expanded={canOpen ? isOpen : undefined}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-8 w-full items-center gap-2 rounded-control text-left text-13 max-md:min-h-11"
      >
        <StateIcon state={state} />
        <span className={clsx('min-w-0 flex-1 truncate', state === 'pending' && 'text-ink-3')}>{name}</span>
        <span className="sr-only">{t(`code_interpreter.state.${state}`)}</span>
        {canOpen && (
          <ChevronRight aria-hidden className={`icon-14 flex-none text-ink-3 ${isOpen ? 'rotate-90' : ''}`} />
        )}
      </button>
      {canOpen && (
        <div id={id} hidden={!isOpen} className="grid min-w-0 gap-2 pb-2 pl-6">
          {isOpen && (
            <>
              {round.code !== '' && <Code {...round} />}
              {round.output !== '' && <Printed text={round.output} className="max-h-[300px]" />}
            </>
          )}
        </div>
      )}
    </li>
  )
}

function StateIcon({ state }: { state: State }) {
  if (state === 'running') return <Spinner className="icon flex-none text-accent" />
  if (state === 'success') return <CircleCheck aria-hidden className="icon flex-none text-success" />
  if (state === 'error') return <CircleX aria-hidden className="icon flex-none text-danger" />
  return <CircleDashed aria-hidden className="icon flex-none text-ink-3" />
}

/** Shows a highlighted program with copy and save buttons. */
export function Code({ language, code }: Pick<ShownRound, 'language' | 'code'>) {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return <CitedText text={`${fence}${language}\n${code}\n${fence}`} passages={none} className="text-13" />
}

const none = new Map()

/** Shows a program's output. */
export function Printed({ text, className }: { text: string; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
      tabIndex={0}
      className={clsx(
        'overflow-auto rounded-row border border-line bg-bg p-3 font-mono text-12 leading-[18px] whitespace-pre-wrap wrap-anywhere',
        className,
      )}
    >
      {text}
    </pre>
  )
}
