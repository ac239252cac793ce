import { FileSpreadsheet } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { tableWords } from '#shared/platform/markdown/plain-text.ts'
import type { TableBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import { exportToSheet } from './export-sheet.ts'
import './sheet-button.css'

/** Creates a Google sheet from a table. A click or Escape stops it; an error stays marked. */
export function SheetButton({ block }: { block: TableBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const run = async () => {
    if (isBusy) return stop.current.abort()
    stop.current = new AbortController()
    setBusy(true)
    setFailure(await exportToSheet(tableWords(block), stop.current.signal))
    setBusy(false)
  }
  const idle = failure ? t('sheet.failed', { reason: failure }) : t('sheet.export')
  return (
    <IconButton
      name={isBusy ? t('sheet.exporting') : idle}
      size="sm"
      aria-busy={isBusy || undefined}
      data-failed={failure !== null || undefined}
      className="sheet-button"
      onClick={() => void run()}
      onKeyDown={({ key }) => key === 'Escape' && isBusy && stop.current.abort()}
    >
      {isBusy ? <Spinner className="icon" /> : <FileSpreadsheet aria-hidden className="icon" />}
    </IconButton>
  )
}
