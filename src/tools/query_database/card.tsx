import { Database } from 'lucide-react'
import { QueryResult } from '#shared/tools/databases/databases.ts'
import {
  type CardBodyProps,
  formatDate,
  formatNumber,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { CopyButton } from '../../web/platform/ui/copy-button.tsx'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { Result } from './result.tsx'

const card: ToolCardParts = {
  Icon: Database,
  summarise: (input) => textOf(input, 'database'),
  explain: (error, _, t) =>
    error.includes('refused before it reached')
      ? t('query_database.refused', { reason: reasonOf(error) })
      : null,
  remedy: () => 'edit',
  Body,
}

export default card

const textOf = (input: unknown, name: string): string => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : ''
}

const reasonOf = (error: string) => error.slice(error.indexOf('database: ') + 'database: '.length)

function Body({ status, input, result }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const found = status === 'done' ? QueryResult.safeParse(result).data : undefined
  const sql = textOf(input, 'sql')
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <section
        aria-label={t('query_database.query')}
        className="overflow-hidden rounded-row border border-line bg-bg"
      >
        <div className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-3 text-12 text-ink-2">
          <span className="min-w-0 flex-1 truncate">{t('query_database.query')}</span>
          <CopyButton name={t('query_database.copy')} size="sm" read={() => sql} />
        </div>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
          tabIndex={0}
          className="max-h-60 overflow-auto px-3 py-2 font-mono text-12 leading-[18px] whitespace-pre-wrap wrap-anywhere"
        >
          {sql}
        </pre>
      </section>
      {status === 'running' && (
        <div role="status">
          <span className="sr-only">{t('query_database.running')}</span>
          <Skeleton className="h-20 w-full rounded-row" />
        </div>
      )}
      {found && (
        <>
          <p className="num text-12 text-ink-2">
            {[
              t('query_database.rows', { count: found.row_count, number: formatNumber(found.row_count) }),
              t('query_database.read_at', { time: formatDate(new Date(found.read_at), READ) }),
              t('query_database.ms', { ms: formatNumber(found.ms) }),
            ].join(' · ')}
          </p>
          {found.is_cut && <p className="text-12 text-ink-2">{t('query_database.cut')}</p>}
          {found.row_count > 0 && <Result result={found} />}
        </>
      )}
    </div>
  )
}

const READ = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
