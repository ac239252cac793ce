import { exportGoogleSheet, getGoogleStatus } from '#shared/models/service-connections/service-connections.ts'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'
import { translate } from '../../i18n/i18n.ts'
import { isApiError } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { getToken } from '../../lib/me/token.ts'
import { toast } from '../../ui/toasts/toasts.ts'
import { connectInWindow, NotConnected } from './connect-window.ts'

const words = (key: string, values: Record<string, string> = {}) =>
  translate(`streaming_blocks:sheet.${key}`, values)

/**
 * Creates a Google sheet from a table and opens it in a new tab, after connecting Google if necessary. Shows the outcome,
 * and returns the error; null on success, or if `signal` stopped it.
 */
export async function exportToSheet({ head, rows }: TableWords, signal: AbortSignal): Promise<string | null> {
  const token = getToken()
  if (!token) return say('error', words('no_token'))
  if (rows.length === 0) return say('error', translate('streaming_blocks:markdown.no_rows'))
  try {
    const { connected } = await call(getGoogleStatus, { signal })
    if (!connected) await connectInWindow(token, signal)
    const body = {
      table_headers: [...head],
      prospects: rows.map((row) => [...row]),
      sheet_title: sheetTitle(),
    }
    const { sheet_url } = await call(exportGoogleSheet, { body, signal })
    if (!sheet_url) return say('error', words('no_address'))
    window.open(sheet_url, '_blank', 'noopener')
    void toast.success(words('done'))
    return null
  } catch (error) {
    return signal.aborted ? null : explain(error)
  }
}

function explain(error: unknown): string {
  if (error instanceof NotConnected) {
    const why = error.key ? words(error.key) : error.detail
    return say('error', [words('no_connection'), why].filter(Boolean).join(' '))
  }
  if (isApiError(error, 401) && error.code === 'not_connected') return say('warning', error.detail)
  if (isApiError(error) && error.status > 0) return say('error', words('error', { detail: error.detail }))
  return say('error', words('export_failed'))
}

function say(kind: 'error' | 'warning', text: string): string {
  void toast[kind](text)
  return text
}

/** Returns the name under which tables are saved, with the date. */
const sheetTitle = () => `table ${new Date().toISOString().slice(0, 10)}`
