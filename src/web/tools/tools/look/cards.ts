import { useEffect, useState } from 'react'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'

/** The cards of this product, by the name of the tool's folder. */
const files = import.meta.glob<{ default: ToolCardParts }>('../../../../tools/*/card.tsx')
const loaded = new Map<string, ToolCardParts>()

/** The card of a tool: undefined while its code loads, null when it has none. */
export function useCard(name: string): ToolCardParts | null | undefined {
  const load = files[`../../../../tools/${name}/card.tsx`]
  const [, noteLoaded] = useState('')
  const known = loaded.get(name)
  useEffect(() => {
    if (!load || loaded.has(name)) return
    load().then(
      (file) => {
        loaded.set(name, file.default)
        noteLoaded(name)
      },
      // Without its code (offline, an update) the general card shows the same.
      () => noteLoaded(name),
    )
  }, [load, name])
  return known ?? (load ? undefined : null)
}
