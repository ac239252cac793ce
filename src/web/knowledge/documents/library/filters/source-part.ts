import { formatDate } from '../../../../platform/i18n/format.ts'
import type { TFunction } from '../../../../platform/i18n/i18n.ts'

/** Narrows the library to documents that connectors read, by what their source says; days as `2026-11-22`. */
export type SourcePart = {
  owner: string | null
  folder: string | null
  label: string | null
  changedFrom: string | null
  changedTo: string | null
}

export const noSource: SourcePart = {
  ...{ owner: null, folder: null, label: null },
  ...{ changedFrom: null, changedTo: null },
}

/** Parses the part in an address. */
export function readSourcePart(
  text: (name: string) => string | null,
  day: (name: string) => string | null,
): SourcePart {
  return {
    ...{ owner: text('source_owner'), folder: text('source_path'), label: text('source_label') },
    ...{ changedFrom: day('changed_from'), changedTo: day('changed_to') },
  }
}

/** Returns the part in an address, without what is not set. */
export function writeSourcePart({ owner, folder, label, changedFrom, changedTo }: SourcePart) {
  return {
    ...(owner && { source_owner: owner }),
    ...(folder && { source_path: folder }),
    ...(label && { source_label: label }),
    ...(changedFrom && { changed_from: changedFrom }),
    ...(changedTo && { changed_to: changedTo }),
  }
}

/** Returns the part as a server query; a day is a full local day. */
export function querySourcePart(part: SourcePart) {
  const { changedFrom, changedTo } = part
  return {
    ...writeSourcePart(part),
    ...(changedFrom && { changed_from: new Date(`${changedFrom}T00:00:00`).toISOString() }),
    ...(changedTo && { changed_to: new Date(`${changedTo}T23:59:59.999`).toISOString() }),
  }
}

/** Returns what is set, in one line; null when nothing is. */
export function sourcePartText(
  t: TFunction,
  { owner, folder, label, changedFrom, changedTo }: SourcePart,
): string | null {
  const day = (value: string) => formatDate(`${value}T12:00:00`)
  const parts = [
    owner,
    folder,
    label,
    changedFrom && t('documents:added.since', { from: day(changedFrom) }),
    changedTo && t('documents:added.until', { to: day(changedTo) }),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}
