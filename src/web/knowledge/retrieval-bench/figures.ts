import type {
  BenchFigures,
  BenchRun,
  BenchSetting,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { formatCost, formatNumber } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'

export const shares = ['recall_5', 'recall_10', 'mrr', 'ndcg_10'] as const
export const figures = [...shares, 'p50_ms', 'p95_ms', 'cost_per_1000'] as const
export type Figure = (typeof figures)[number]

const isShare = (figure: Figure) => (shares as readonly Figure[]).includes(figure)

/** Formats a figure: a share with three decimals, milliseconds, or dollars. */
export function figureText(t: TFunction<'admin'>, figure: Figure, value: number | null): string {
  if (value === null) return t('debug.bench.no_price')
  if (figure === 'cost_per_1000') return formatCost(value)
  if (isShare(figure)) return formatNumber(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 })
  return t('debug.bench.ms', { number: formatNumber(Math.max(1, Math.round(value))) })
}

/** Returns the difference of a figure to that of the first run, and whether it is an improvement; null without a difference. */
export function changeOf(figure: Figure, base: BenchFigures | null, own: BenchFigures | null) {
  const [before, now] = [base?.[figure] ?? null, own?.[figure] ?? null]
  if (before === null || now === null) return null
  const change = isShare(figure) ? Math.round((now - before) * 1000) / 1000 : now - before
  const least = isShare(figure) ? 0.001 : figure === 'cost_per_1000' ? 0.000001 : 0.5
  if (Math.abs(change) < least) return null
  return { change, isBetter: isShare(figure) === change > 0 }
}

/** Returns the finished run with the best ranks; null for a single one. */
export function bestOf(runs: readonly BenchRun[]): string | null {
  const over = runs.filter(({ state, figures }) => state === 'ready' && figures)
  const rate = ({ figures }: BenchRun) => figures?.ndcg_10 ?? 0
  return over.length > 1 ? over.reduce((a, b) => (rate(b) > rate(a) ? b : a)).id : null
}

/** Describes a setting in a line or two. */
export function settingText(t: TFunction<'admin'>, setting: BenchSetting): [string, string] {
  const { type, alpha, reranker, candidates } = setting
  const share = formatNumber(alpha, { maximumFractionDigits: 2 })
  const way = t(`debug.bench.types.${type}`)
  const order = reranker ?? t('debug.bench.as_found')
  return [type === 'hybrid' ? `${way}, α ${share}` : way, `${order}, ${formatNumber(candidates)}`]
}
