import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { keep, readKept } from '../../platform/lib/kept/kept.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { countChanges, draftOf, type PreferencesDraft } from './preferences-draft.ts'

const NAME = 'preferences'

const KeptEdits = z.partial(
  z.object({
    language: z.enum(['en', 'fr']),
    bio: z.string(),
    examples: z.array(z.string()),
    columnWidth: z.enum(['normal', 'wide']),
    workingMemory: z.boolean(),
  }),
)

/** Unsaved edits, which survive the view and a reload. Leaving with edits shows a message. */
export function useKeptEdits(user: User) {
  const [edits, setEdits] = useState(readEdits)
  const changes = useRef(0)
  changes.current = countChanges({ ...draftOf(user), ...edits }, user)
  useEffect(
    () => () => {
      if (changes.current > 0) toast.info(translate('common:user.save.kept'))
    },
    [],
  )
  const change = (next: Partial<PreferencesDraft>) => {
    setEdits(next)
    keep(NAME, Object.keys(next).length > 0 ? JSON.stringify(next) : '')
  }
  return [edits, change] as const
}

function readEdits(): Partial<PreferencesDraft> {
  const kept = KeptEdits.safeParse(JSON.parse(readKept(NAME) ?? '{}'))
  return kept.success ? kept.data : {}
}
