import { useMemo, useState } from 'react'
import { type Area, parseRange } from '#shared/knowledge/documents/ranges.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { Callout } from '../../web/platform/ui/callout.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { FormulaBar } from './formula-bar.tsx'
import { Grid } from './grid.tsx'
import type { Row, Spread } from './measures.ts'
import { type Selection, selectionOf, wholeArea } from './selection.ts'
import { showIn } from './show-value.ts'
import { type SheetAt, useRows } from './use-rows.ts'

/** Shows one sheet with its formula bar. Selects the cited cells and scrolls to them first. */
export function SheetPane({ source, cited }: { source: SheetAt; cited: Area | null }) {
  const { t } = useTranslation('documents')
  const { sheet } = source
  const [selection, setSelection] = useState<Selection>(() =>
    selectionOf(cited ?? { row: 0, column: 0, rows: 1, columns: 1 }),
  )
  const [target, setTarget] = useState(cited)
  const goTo = (range: Area) => {
    setSelection(selectionOf(range))
    setTarget(range)
  }
  const [spread, setSpread] = useState<Spread>({ first: 0, last: 0 })
  const merges = useMemo(
    () =>
      sheet.merges.map(parseRange).filter((area) => area !== null && area.rows * area.columns > 1) as Area[],
    [sheet],
  )
  const begun = merges.filter(({ row, rows }) => row < spread.first && row + rows > spread.first)
  const others = [0, selection.from.row, ...begun.map(({ row }) => row)]
  const { rowAt, hasFailed, readAgain } = useRows(source, spread, others)
  const area = wholeArea(selection, merges)
  const firstRows = useFirstRows(rowAt)
  const show = useMemo(() => showIn(t, sheet.notation), [t, sheet])
  const active = rowAt(selection.from.row)?.find(({ c }) => c === selection.from.column)
  if (sheet.rows === 0) return <EmptyState page title={t('viewer.sheet.empty', { name: sheet.name })} />
  return (
    <section aria-label={sheet.name} className="flex min-h-0 flex-1 flex-col">
      <FormulaBar area={area} cell={active} show={show} onRange={goTo} />
      {hasFailed && (
        <Callout
          tone="warning"
          className="m-2"
          action={
            <Button size="sm" onClick={readAgain}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {t('viewer.sheet.rows_failed')}
        </Callout>
      )}
      {firstRows && (
        <Grid
          source={source}
          show={show}
          firstRows={firstRows}
          merges={merges}
          selection={selection}
          cited={cited}
          target={target}
          rowAt={rowAt}
          onSelect={setSelection}
          onSpread={setSpread}
        />
      )}
    </section>
  )
}

/** Number of rows that determine the width of columns without one. */
const FIRST_ROWS = 100

/** Returns the first rows once they are loaded; the grid waits for them, so that columns do not shift later. */
function useFirstRows(rowAt: (row: number) => Row | undefined): readonly Row[] | null {
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  if (rows === null && rowAt(0)) setRows(Array.from({ length: FIRST_ROWS }, (_, row) => rowAt(row) ?? []))
  return rows
}
