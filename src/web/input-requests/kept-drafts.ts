import * as z from 'zod/mini'
import { InputFile } from '#shared/input-requests/request.ts'
import { DRAFT_KEY } from '../lib/sign-out.ts'
import type { Draft, DraftFile } from './answer-draft.ts'

const KeptFile = z.object({ ...InputFile.shape, key: z.string() })
const KeptDraft = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(KeptFile)]))

/** What was filled in for a request and not sent: it outlives a reload of the tab, with the files that are stored. */
export function readKeptDraft(requestId: string): Draft {
  const kept = KeptDraft.safeParse(JSON.parse(sessionStorage.getItem(DRAFT_KEY + requestId) ?? '{}'))
  if (!kept.success) return {}
  const entries = Object.entries(kept.data)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(toDraftFile) : value]),
  )
}

function toDraftFile({ key, transcript, ...stored }: z.infer<typeof KeptFile>): DraftFile {
  const { name, size } = stored
  return { key, name, size, stored, state: 'uploaded', reason: '', ...(transcript && { transcript }) }
}

/** Keeps a draft; an upload that is under way is not part of it. */
export function keepDraft(requestId: string, draft: Draft): void {
  const entries = Object.entries(draft).map(([name, value]) => [
    name,
    typeof value === 'object' ? value.flatMap(toKeptFile) : value,
  ])
  try {
    sessionStorage.setItem(DRAFT_KEY + requestId, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // The browser's room is used up: the draft lives as long as the page.
  }
}

function toKeptFile({ key, stored, transcript }: DraftFile) {
  return stored ? [{ ...stored, key, ...(transcript && { transcript }) }] : []
}

/** The answer was sent, or is asked for no more. */
export function forgetDraft(requestId: string): void {
  sessionStorage.removeItem(DRAFT_KEY + requestId)
}
