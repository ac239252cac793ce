import { useEffect, useState } from 'react'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'

/** Built-in cards by the folder name of their tool. */
const files = import.meta.glob<{ default: ToolCardParts }>('../../../../tools/*/card.tsx')
const loaded = new Map<string, ToolCardParts>()

/** Returns the card of a tool: undefined while its code loads, null when it has none. */
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
      // If the code cannot be loaded (offline, after an update), the default card is shown.
      () => noteLoaded(name),
    )
  }, [load, name])
  return known ?? (load ? undefined : null)
}
