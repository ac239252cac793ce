import type { MenuEntry } from '../ui/overlays/menu-entry.ts'
import { sources } from './commands.ts'

type Item = Exclude<MenuEntry, { kind: 'heading' | 'separator' }>
type Command = Item & { onSelect: () => void }

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
