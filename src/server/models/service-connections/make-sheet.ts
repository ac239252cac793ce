import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { NotConnected } from './google-account.ts'

/** A table as people see it. */
export type SheetTable = { title: string; headers: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * Creates a Google sheet (Sheets API v4, `spreadsheets.create`) and returns its address; null if Google returns none.
 * Values are written verbatim, so none becomes a formula.
 * @throws NotConnected, AppError `provider_failed`
 */
export async function makeSheet(
  { outbound, config }: Pick<Platform, 'outbound' | 'config'>,
  token: string,
  { title, headers, rows }: SheetTable,
): Promise<string | null> {
  const service = config.GOOGLE_SHEETS_URL
  const rowData = [headers, ...rows].map((cells) => ({
    values: cells.map((cell) => ({ userEnteredValue: enteredValue(cell) })),
  }))
  const answer = await outbound.fetch(new URL('/v4/spreadsheets', service).href, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ properties: { title }, sheets: [{ data: [{ rowData }] }] }),
    ...{ trusted: [service], seconds: 60 },
  })
  if (answer.status === 401) throw new NotConnected()
  const said: Said = Object((await answer.json().catch(() => null)) ?? {})
  if (!answer.ok)
    throw new AppError('provider_failed', said.error?.message || `Google answered ${answer.status}.`)
  return typeof said.spreadsheetUrl === 'string' ? said.spreadsheetUrl : null
}

function enteredValue(cell: string) {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(cell)
    ? { numberValue: Number(cell) }
    : { stringValue: cell }
}

type Said = { spreadsheetUrl?: unknown; error?: { message?: string } }
