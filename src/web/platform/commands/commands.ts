import { useEffect, useRef } from 'react'
import type { MenuEntries, MenuEntry } from '../ui/overlays/menu-entry.ts'

type Item = Exclude<MenuEntry, { kind: 'heading' | 'separator' }>
type Command = Item & { onSelect: () => void }
/** Returns entries for the palette, or null when there are none. */
type Source = () => MenuEntries | null

const sources = new Set<Source>()

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

/** Returns the actions that mounted components offer now. Sources that cannot be loaded are left out. */
export async function readCommands(): Promise<Command[]> {
  const lists = await Promise.allSettled(
    [...sources].map(async (read) => {
      const entries = read()
      return typeof entries === 'function' ? entries() : (entries ?? [])
    }),
  )
  return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.filter(isAction) : []))
}

function isAction(entry: MenuEntry): entry is Command {
  if (entry.kind === 'heading' || entry.kind === 'separator') return false
  return entry.onSelect !== undefined && !entry.disabled
}
