import clsx from 'clsx'
import { ArrowDown, ArrowUp, Check, X } from 'lucide-react'
import { type BenchRun, removeBenchRun } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { bestOf, changeOf, type Figure, figures, figureText, settingText } from './figures.ts'
import { letterOf, readAgain } from './use-retrieval-bench.ts'

/** The figures of all runs side by side, compared with the first one. */
export function FigureTable({ runs }: { runs: BenchRun[] }) {
  const { t } = useTranslation('admin')
  const best = bestOf(runs)
  return (
    <div className="overflow-x-auto rounded-card border border-line">
      <table className="w-full border-collapse text-13">
        <thead>
          <tr className="border-b border-line text-left align-top [&>th]:px-3.5 [&>th]:py-1.5 [&>th]:font-regular">
            <th scope="col">
              <span className="sr-only">{t('debug.bench.figure')}</span>
            </th>
            {runs.map((run, at) => (
              <th key={run.id} scope="col">
                <RunHead run={run} letter={letterOf(at)} isBase={at === 0} isBest={run.id === best} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure} className="border-t border-line [&>*]:px-3.5 [&>*]:py-1.5">
              <th scope="row" className="text-left font-regular whitespace-nowrap text-ink-2">
                {t(`debug.bench.figures.${figure}`)}
              </th>
              {runs.map((run) => (
                <td key={run.id} className="num whitespace-nowrap">
                  <Value {...{ figure, run, base: runs[0] }} isBest={run.id === best} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({
  figure,
  run,
  base,
  isBest,
}: {
  figure: Figure
  run: BenchRun
  base: BenchRun | undefined
  isBest: boolean
}) {
  const { t } = useTranslation('admin')
  if (!run.figures) return <span className="text-ink-3">–</span>
  const changed = run === base ? null : changeOf(figure, base?.figures ?? null, run.figures)
  const Arrow = changed && changed.change > 0 ? ArrowUp : ArrowDown
  return (
    <span className="flex items-center gap-2">
      <span className={clsx('min-w-0 flex-1', isBest && 'font-semibold')}>
        {figureText(t, figure, run.figures[figure])}
      </span>
      {changed && (
        <span
          className={clsx(
            'flex items-center gap-1 text-12',
            changed.isBetter ? 'text-success' : 'text-warning',
          )}
        >
          <Arrow aria-hidden className="icon-12" />
          <span className="sr-only">{t(changed.isBetter ? 'debug.bench.better' : 'debug.bench.worse')}</span>
          {figureText(t, figure, Math.abs(changed.change))}
        </span>
      )}
    </span>
  )
}

type HeadProps = { run: BenchRun; letter: string; isBase: boolean; isBest: boolean }

/** The header of a run: its settings, its progress, and a delete button. */
function RunHead({ run, letter, isBase, isBest }: HeadProps) {
  const { t } = useTranslation('admin')
  const { id, setting, state, done, total, problem, figures: known } = run
  const remove = useAction(
    () => call(removeBenchRun, { params: { benchRunId: id } }),
    () => void readAgain(),
  )
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total)
  const [way, order] = settingText(t, setting)
  return (
    <div className="grid gap-1">
      <span className="flex items-center gap-1.5">
        <span className="text-14 font-semibold">{letter}</span>
        {isBase && <Badge tone="line">{t('debug.bench.baseline')}</Badge>}
        {isBest && (
          <Badge tone="success" icon={<Check aria-hidden />}>
            {t('debug.bench.best')}
          </Badge>
        )}
        <span className="flex-1" />
        <IconButton
          size="xs"
          name={t('debug.bench.delete_run', { run: letter })}
          disabled={remove.isPending}
          onClick={() => void remove.run()}
        >
          <X aria-hidden className="icon-14" />
        </IconButton>
      </span>
      <span className="block text-12 whitespace-nowrap text-ink-2">{way}</span>
      <span className="block text-12 whitespace-nowrap text-ink-2">{order}</span>
      {state === 'running' && (
        <>
          <span className="num text-12 text-ink-2">{t('debug.bench.so_far', { done, total })}</span>
          <div
            role="progressbar"
            aria-label={t('debug.bench.running', { run: letter })}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-1 overflow-hidden rounded-full bg-surface-3"
          >
            <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
          </div>
        </>
      )}
      {problem !== null && <Callout tone="danger">{problem}</Callout>}
      {known && known.skipped > 0 && (
        <span className="text-12 text-warning">{t('debug.bench.skipped', { count: known.skipped })}</span>
      )}
      {remove.error !== null && <Callout tone="danger">{errorText(t, remove.error)}</Callout>}
    </div>
  )
}
