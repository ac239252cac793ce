import clsx from 'clsx'
import { memo, useState } from 'react'
import { directionOfBlock, directionOfInlines } from '#shared/platform/markdown/direction.ts'
import { tableText } from '#shared/platform/markdown/plain-text.ts'
import type { Cell, TableAlign, TableBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { usePrinting } from '../lib/printing/printing.ts'
import { Button } from '../ui/button.tsx'
import { BlockActions } from './block-actions.tsx'
import { Inlines } from './inlines.tsx'

/** Rows of a finished table shown at first. */
const firstRows = 100
/** Minimum columns of a table that may be wider than the text. */
const wideColumns = 7

/** A table with its size and actions. Wide ones break out of the column and scroll, with a sticky first column. */
export const TableView = memo(function TableView({
  block,
  growing,
}: {
  block: TableBlock
  growing: boolean
}) {
  const { t } = useTranslation('streaming_blocks')
  // Rows that a reader saw arrive are never hidden again.
  const [showsAll, setShowsAll] = useState(growing)
  const isPrinting = usePrinting()
  const rows = showsAll || isPrinting ? block.rows : block.rows.slice(0, firstRows)
  const isWide = block.head.length >= wideColumns
  const size = t('markdown.table_size', { count: block.rows.length, columns: block.head.length })
  return (
    <figure className={clsx('md-block', isWide && 'md-wide')} dir={directionOfBlock(block) ?? undefined}>
      <figcaption className="md-head" dir="ltr">
        <span className="md-head-name">{size}</span>
        <div className="contents print:hidden">
          <BlockActions title={size} read={() => tableText(block)} block={block}>
            {() => <TableBody block={block} rows={block.rows} name={size} />}
          </BlockActions>
        </div>
      </figcaption>
      <TableBody block={block} rows={rows} name={size} />
      {rows.length < block.rows.length && (
        <Button variant="ghost" wide onClick={() => setShowsAll(true)}>
          {t('markdown.show_all_rows', { count: block.rows.length })}
        </Button>
      )}
    </figure>
  )
})

type TableBodyProps = { block: TableBlock; rows: TableBlock['rows']; name: string }

/** Some rows of a table below its header; they scroll sideways. */
function TableBody({ block, rows, name }: TableBodyProps) {
  const dir = directionOfBlock(block) ?? undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, and there may be many tables.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <div role="group" className="md-table" dir={dir} aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <Row cells={block.head} align={block.align} isHead />
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never change their place.
            <Row key={at} cells={cells} align={block.align} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { cells: readonly Cell[]; align: readonly TableAlign[]; isHead?: boolean }

const Row = memo(function Row({ cells, align, isHead = false }: RowProps) {
  const Tag = isHead ? 'th' : 'td'
  return (
    <tr>
      {cells.map((cell, at) => (
        <Tag
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their place.
          key={at}
          dir={directionOfInlines(cell) ? 'auto' : undefined}
          data-align={align[at] ?? undefined}
          scope={isHead ? 'col' : undefined}
        >
          <Inlines nodes={cell} />
        </Tag>
      ))}
    </tr>
  )
})
