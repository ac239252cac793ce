import {
  ArrowDown,
  ArrowUp,
  ChartColumn,
  ChevronsUpDown,
  Download,
  FileText,
  Sheet,
  Table2,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import { csvStyles } from '#shared/platform/csv.ts'
import type { QueryResult, Value } from '#shared/tools/databases/databases.ts'
import { currentLanguage } from '../../web/platform/i18n/i18n.ts'
import { openAddress } from '../../web/platform/lib/open-address.ts'
import { saveTable } from '../../web/platform/markdown/files/save-block.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Menu } from '../../web/platform/ui/overlays/menu.tsx'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'
import { Chart } from './chart.tsx'
import { readCsv } from './read-csv.ts'
import { nextOrder, type Order, sortRows } from './sort-rows.ts'

/** Rows drawn at first; more on request. */
const FEW = 20
const MANY = 1_000

/** The rows of a query: sorted by a column, as a chart, or saved as a file. */
export function Result({ result }: { result: QueryResult }) {
  const { t } = useTranslation('tool_ui')
  const { columns, rows: first, row_count, file } = result
  const [all, setAll] = useState<Value[][] | null>(row_count === first.length ? first : null)
  const [order, setOrder] = useState<Order>(null)
  const [isChart, setChart] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [most, setMost] = useState(FEW)
  const rows = useMemo(() => sortRows(all ?? first, order), [all, first, order])
  /** Sorting, charts and files need all rows. */
  const load = async (): Promise<Value[][] | null> => {
    if (all || !file) return all ?? first
    setBusy(true)
    try {
      const answer = await openAddress(file.download_url)
      const read = readCsv(await answer.text(), columns)
      setAll(read)
      return read
    } catch {
      void toast.error(t('query_database.not_loaded'))
      return null
    } finally {
      setBusy(false)
    }
  }
  const sort = async (column: number) => {
    if (await load()) setOrder(nextOrder(order, column))
  }
  const save = async (format: 'csv' | 'xlsx') => {
    const found = await load()
    if (!found) return
    const { decimal } = csvStyles[currentLanguage()]
    const write = (value: Value) =>
      typeof value === 'number' ? String(value).replace('.', decimal) : String(value ?? '')
    const words = sortRows(found, order).map((row) => row.map(write))
    await saveTable({ head: columns.map(({ name }) => name), rows: words }, format)
  }
  const toggle = async () => {
    if (await load()) setChart(!isChart)
  }
  return (
    <>
      {isChart ? (
        <Chart columns={columns} rows={rows} />
      ) : (
        <Rows {...{ columns, order }} rows={rows.slice(0, most)} onSort={(column) => void sort(column)} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={isBusy}
          icon={
            isChart ? (
              <Table2 aria-hidden className="icon-14" />
            ) : (
              <ChartColumn aria-hidden className="icon-14" />
            )
          }
          onClick={() => void toggle()}
        >
          {t(isChart ? 'query_database.table' : 'query_database.chart')}
        </Button>
        <Menu
          trigger={
            <Button size="sm" variant="ghost" icon={<Download aria-hidden className="icon-14" />}>
              {t('query_database.save')}
            </Button>
          }
          entries={[
            {
              key: 'xlsx',
              label: t('query_database.xlsx'),
              icon: <Sheet aria-hidden />,
              onSelect: () => void save('xlsx'),
            },
            {
              key: 'csv',
              label: t('query_database.csv'),
              icon: <FileText aria-hidden />,
              onSelect: () => void save('csv'),
            },
          ]}
        />
        {!isChart && row_count > most && most < MANY && (
          <Button
            size="sm"
            variant="ghost"
            busy={isBusy}
            onClick={() => void load().then((found) => found && setMost(MANY))}
          >
            {t('query_database.more', { number: formatNumber(Math.min(MANY, row_count)) })}
          </Button>
        )}
      </div>
    </>
  )
}

type RowsProps = {
  columns: QueryResult['columns']
  rows: readonly Value[][]
  order: Order
  onSort: (column: number) => void
}

function Rows({ columns, rows, order, onSort }: RowsProps) {
  const { t } = useTranslation('tool_ui')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, and there may be many tables.
    <div
      role="group"
      aria-label={t('query_database.result')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-row border border-line"
    >
      <table className="w-full border-collapse text-13">
        <thead className="sticky top-0 bg-surface-2">
          <tr>
            {columns.map(({ name, is_number }, at) => {
              const isOn = order?.column === at
              const Icon = isOn ? (order.isDescending ? ArrowDown : ArrowUp) : ChevronsUpDown
              return (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their place.
                  key={at}
                  scope="col"
                  aria-sort={isOn ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
                  className="p-0 text-left font-medium"
                >
                  <button
                    type="button"
                    onClick={() => onSort(at)}
                    className={`flex min-h-8 w-full items-center gap-1 px-3 whitespace-nowrap hover-motion hover:text-accent max-md:min-h-11 ${is_number ? 'justify-end' : ''}`}
                  >
                    {name}
                    <Icon aria-hidden className={`icon-12 ${isOn ? 'text-accent' : 'text-ink-3'}`} />
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own.
            <tr key={place} className="border-t border-line">
              {row.map((value, at) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their place.
                  key={at}
                  className={`max-w-80 truncate px-3 py-1.5 ${typeof value === 'number' ? 'num text-right' : ''}`}
                >
                  {value === null ? (
                    <span className="text-ink-3">–</span>
                  ) : typeof value === 'number' ? (
                    formatNumber(value, DIGITS)
                  ) : (
                    String(value)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const DIGITS = { maximumFractionDigits: 20 }
