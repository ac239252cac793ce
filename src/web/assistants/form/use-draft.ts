import { useState } from 'react'
import * as z from 'zod/mini'
import type { Assistant } from '#shared/assistants/assistants.ts'
import { keep, readKept } from '../../lib/kept/kept.ts'
import { changesOf, Draft, draftOf, type Edits } from './draft.ts'

const Kept = z.partial(Draft)

/** What was changed and not saved: it outlives the view and a reload. */
export function useDraft(assistant: Assistant | null) {
  const name = `assistant:${assistant?.id ?? 'new'}`
  const [edits, setEdits] = useState(() => readEdits(name))
  const set = (next: Edits) => {
    setEdits(next)
    keep(name, Object.keys(next).length > 0 ? JSON.stringify(next) : '')
  }
  const changes = changesOf(assistant, edits)
  return {
    draft: draftOf(assistant, edits),
    isChanged: Object.keys(changes).length > 0,
    change: (next: Edits) => set(changesOf(assistant, { ...edits, ...next })),
    forget: () => set({}),
  }
}

function readEdits(name: string): Edits {
  const kept = Kept.safeParse(JSON.parse(readKept(name) ?? '{}'))
  return kept.success ? kept.data : {}
}
