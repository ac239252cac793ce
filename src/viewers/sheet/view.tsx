import { useEffect, useState } from 'react'
import type { Chunk, Document } from '#shared/knowledge/documents/documents.ts'
import type { SheetEntry, SheetList } from '#shared/knowledge/documents/kept-files.ts'
import { type Area, parseRange } from '#shared/knowledge/documents/ranges.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import { useKeptFile } from '../kept-file.ts'
import type { MadeViewProps } from '../viewer.ts'
import { SheetPane } from './sheet-pane.tsx'
import { SheetTabs } from './sheet-tabs.tsx'
import './sheet.css'

/** Shows a workbook, one sheet at a time. */
export default function SheetView({ document, chunk }: MadeViewProps) {
  const { t } = useTranslation('documents')
  const { data, isError, refetch } = useKeptFile<SheetList>(document, 'sheets.json')
  if (isError)
    return (
      <EmptyState
        title={t('viewer.sheet.failed')}
        action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
      />
    )
  if (!data) return <Skeletons className="grid flex-1 gap-2 p-4" sizes={['h-8 w-full', 'h-full min-h-80']} />
  if (data.sheets.length === 0) return <EmptyState page title={t('viewer.sheet.none')} />
  return <Workbook document={document} sheets={data.sheets} chunk={chunk} />
}

function Workbook({ document, sheets, chunk }: Omit<WorkbookProps, 'cited'>) {
  const cited = citedIn(sheets, chunk)
  const firstShown = Math.max(
    0,
    sheets.findIndex(({ hidden }) => !hidden),
  )
  const [at, setAt] = useState(cited?.at ?? firstShown)
  const citedAt = cited?.at
  useEffect(() => {
    if (citedAt !== undefined) setAt(citedAt)
  }, [citedAt])
  const sheet = sheets[at]
  if (!sheet) return null
  return (
    <>
      <SheetPane
        key={`${at}:${chunk?.id}`}
        source={{ document, at, sheet }}
        cited={cited?.at === at ? cited.area : null}
      />
      <SheetTabs sheets={sheets} at={at} onChange={setAt} />
    </>
  )
}

type WorkbookProps = { document: Document; sheets: readonly SheetEntry[]; chunk: Chunk | null }

/** Returns the cells of a passage; null when none of them exist. */
function citedIn(sheets: readonly SheetEntry[], chunk: Chunk | null): { at: number; area: Area } | null {
  const { sheet, range } = chunk?.place ?? {}
  const area = range ? parseRange(range) : null
  const at = sheets.length === 1 ? 0 : sheets.findIndex(({ name }) => name === sheet)
  return area && at >= 0 ? { at, area } : null
}
