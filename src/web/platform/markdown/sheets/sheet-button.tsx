import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { getGoogleStatus } from '#shared/models/service-connections/service-connections.ts'
import { tableWords } from '#shared/platform/markdown/plain-text.ts'
import type { TableBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { call } from '../../lib/api/call.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { useToken } from '../../lib/me/token.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/states/spinner.tsx'
import { exportToSheet } from './export-sheet.ts'
import './sheet-button.css'

/** Creates a Google sheet from a table, where Google is set up. A click or Escape stops it; an error stays marked. */
export function SheetButton({ block }: { block: TableBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const isAvailable = useSheets()
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
  if (!isAvailable) return null
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

/** Returns whether this installation can create Google sheets. Tables are also on pages without a query client. */
function useSheets(): boolean {
  const token = useToken()
  const { data } = useQuery(
    {
      queryKey: ['google-status'],
      queryFn: ({ signal }) => call(getGoogleStatus, { signal }),
      enabled: token !== null,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  )
  return data?.available ?? false
}
