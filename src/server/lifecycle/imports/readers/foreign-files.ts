import type { ProblemReason } from '#shared/lifecycle/imports/imports.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { OpenExport } from '../archive/open-export.ts'
import type { ForeignFile } from './foreign.ts'

/** Programs that a click on Windows or macOS starts. */
const PROGRAM = /\.(?:exe|dll|com|bat|cmd|msi|scr|pif|lnk|vbs|ps1|hta|jar|app|dmg|pkg)$/i

/** Returns whether files with this name are not imported. */
export const isRefused = (name: string) => PROGRAM.test(name.trim())

/** Returns the last part of a name, without characters that systems refuse. */
export function safeFileName(name: string): string {
  const last = cleanLabel(name.replaceAll('\\', '/')).split('/').at(-1) ?? ''
  return last.trim().slice(-200).toWellFormed() || 'file'
}

/** Returns why a file cannot be imported; null when it can. */
export function refusalOf({ name, content }: ForeignFile): ProblemReason | null {
  if (isRefused(safeFileName(name))) return 'file_refused'
  if (!content) return 'file_missing'
  return content.from === 'elsewhere' ? 'file_elsewhere' : null
}

/** Returns the bytes of a file in the export. */
export function sizeOf({ content }: ForeignFile, { members }: OpenExport): number {
  switch (content?.from) {
    case 'member':
      return members.get(content.name)?.size ?? 0
    case 'base64':
      return Math.floor((content.data.length * 3) / 4)
    case 'text':
      return Buffer.byteLength(content.text)
    default:
      return 0
  }
}
