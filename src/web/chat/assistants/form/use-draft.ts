import { useState } from 'react'
import * as z from 'zod/mini'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { keep, readKept } from '../../../platform/lib/kept/kept.ts'
import { changesOf, Draft, draftOf, type Edits } from './draft.ts'

const Kept = z.extend(z.partial(Draft), { version: z.optional(z.int()) })
type Kept = z.infer<typeof Kept>

/**
 * Unsaved edits with the version they are based on; they survive the view and a reload. `isBehind`: someone has saved
 * since; `catchUp` applies the edits, except some fields, to the saved version.
 */
export function useDraft(assistant: Assistant | null) {
  const name = `assistant:${assistant?.id ?? 'new'}`
  const [kept, setKept] = useState(() => readEdits(name))
  const { version = assistant?.version, ...edits } = kept
  const set = (next: Edits, of: number | undefined) => {
    const hasEdits = Object.keys(next).length > 0
    const stored = hasEdits ? { ...next, ...(of === undefined ? {} : { version: of }) } : {}
    setKept(stored)
    keep(name, hasEdits ? JSON.stringify(stored) : '')
  }
  const changes = changesOf(assistant, edits)
  const isChanged = Object.keys(changes).length > 0
  return {
    draft: draftOf(assistant, edits),
    changes,
    isChanged,
    version,
    isBehind: isChanged && assistant !== null && version !== assistant.version,
    change: (next: Edits) =>
      set(changesOf(assistant, { ...edits, ...next }), isChanged ? version : assistant?.version),
    catchUp: (without: readonly string[]) => {
      const mine = Object.entries(changes).filter(([field]) => !without.includes(field))
      set(Object.fromEntries(mine), assistant?.version)
    },
    forget: () => set({}, undefined),
  }
}

function readEdits(name: string): Kept {
  const kept = Kept.safeParse(JSON.parse(readKept(name) ?? '{}'))
  return kept.success ? kept.data : {}
}
