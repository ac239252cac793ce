import { useEffect, useRef } from 'react'
import type { MenuEntries } from '../ui/overlays/menu-entry.ts'

/** Returns entries for the palette, or null when there are none. */
type Source = () => MenuEntries | null

/** Commands of mounted components; `read-commands.ts` reads them. */
export const sources = new Set<Source>()

/** Offers the entries of a menu in the palette while the component is mounted. They are read when the palette opens. */
export function useCommands(source: Source): void {
  const latest = useRef(source)
  latest.current = source
  useEffect(() => {
    const read = () => latest.current()
    sources.add(read)
    return () => void sources.delete(read)
  }, [])
}
