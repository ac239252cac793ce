import { useEffect, useState } from 'react'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'

/** Built-in cards by the folder name of their tool. */
const files = import.meta.glob<{ default: ToolCardParts }>('../../../../tools/*/card.tsx')
const loaded = new Map<string, ToolCardParts>()

const fileOf = (name: string) => files[`../../../../tools/${name}/card.tsx`]

/** Returns whether the card of a tool is loaded, or the tool has none. */
export const isCardLoaded = (name: string) => loaded.has(name) || fileOf(name) === undefined

/** Loads the card of a tool, if it has one. @throws if the code cannot be loaded */
export async function loadCard(name: string): Promise<void> {
  const file = loaded.has(name) ? undefined : await fileOf(name)?.()
  if (file) loaded.set(name, file.default)
}

/** Returns the card of a tool: undefined while its code loads, null when it has none. */
export function useCard(name: string): ToolCardParts | null | undefined {
  const [tried, setTried] = useState('')
  useEffect(() => {
    if (isCardLoaded(name)) return
    const note = () => setTried(name)
    loadCard(name).then(note, note)
  }, [name])
  // If the code cannot be loaded (offline, after an update), the default card is shown.
  return loaded.get(name) ?? (isCardLoaded(name) || tried === name ? null : undefined)
}
