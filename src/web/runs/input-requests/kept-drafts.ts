import * as z from 'zod/mini'
import { InputFile } from '#shared/runs/runs/request.ts'
import { keep, readKept } from '../../platform/lib/kept/kept.ts'
import type { Draft, DraftFile } from './answer-draft.ts'

const KeptFile = z.object({ ...InputFile.shape, key: z.string() })
const KeptDraft = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(KeptFile)]))

const nameOf = (requestId: string) => `answer:${requestId}`

/** Returns an unsent draft of a request, with its stored files. */
export function readKeptDraft(requestId: string): Draft {
  const kept = KeptDraft.safeParse(JSON.parse(readKept(nameOf(requestId)) ?? '{}'))
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

/** Stores a draft without unfinished uploads. */
export function keepDraft(requestId: string, draft: Draft): void {
  const entries = Object.entries(draft).map(([name, value]) => [
    name,
    typeof value === 'object' ? value.flatMap(toKeptFile) : value,
  ])
  keep(nameOf(requestId), JSON.stringify(Object.fromEntries(entries)))
}

function toKeptFile({ key, stored, transcript }: DraftFile) {
  return stored ? [{ ...stored, key, ...(transcript && { transcript }) }] : []
}

/** Deletes the draft, because the answer was sent or is no longer needed. */
export function forgetDraft(requestId: string): void {
  keep(nameOf(requestId), '')
}
