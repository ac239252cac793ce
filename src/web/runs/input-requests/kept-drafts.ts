import * as z from 'zod/mini'
import { InputFile } from '#shared/runs/runs/request.ts'
import { keep, readKept } from '../../platform/lib/kept/kept.ts'
import type { Draft, DraftFile } from './answer-draft.ts'

const KeptFile = z.object({ ...InputFile.shape, key: z.string() })
const KeptDraft = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(KeptFile)]))

const nameOf = (requestId: string) => `answer:${requestId}`

/** What was filled in for a request and not sent, with the files that are stored. */
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

/** Keeps a draft; an upload that is under way is not part of it. */
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

/** The answer was sent, or is asked for no more. */
export function forgetDraft(requestId: string): void {
  keep(nameOf(requestId), '')
}
