import { Menu as Base } from '@base-ui/react/menu'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useFloatingLayer } from './layer.ts'
import type { MenuEntries, MenuEntry } from './menu-entry.ts'
import { isOn } from './trigger.ts'

type Props = {
  anchor: RefObject<HTMLElement | null> | { getBoundingClientRect: () => DOMRect }
  finalFocus?: RefObject<HTMLElement | null>
  entries: MenuEntries
  side: 'top' | 'bottom' | 'left' | 'right'
  align: 'start' | 'center' | 'end'
  onClose: () => void
  className?: string
}

/** The open list itself, loaded with the first menu that opens. */
export default function MenuLayer({ anchor, finalFocus, entries, side, align, onClose, className }: Props) {
  const [isOpen, setOpen] = useState(true)
  const shown = useEntries(entries, onClose)
  const layer = useFloatingLayer()
  if (!shown) return null
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => open || isOn(event, anchor) || setOpen(false)}
      onOpenChangeComplete={(open) => open || onClose()}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={clsx(layer, 'outline-none')}
        >
          <Base.Popup finalFocus={finalFocus} className={clsx(popupLook, className)}>
            <Entries entries={shown} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Returns the entries; null while they are loaded. */
function useEntries(entries: MenuEntries, onFailed: () => void): MenuEntry[] | null {
  const [loaded, setLoaded] = useState<MenuEntry[] | null>(null)
  const isLoaded = typeof entries !== 'function'
  const load = useEffectEvent(() => {
    if (typeof entries === 'function') entries().then(setLoaded, onFailed)
  })
  useEffect(() => {
    if (!isLoaded) load()
  }, [isLoaded])
  return typeof entries === 'function' ? loaded : entries
}

function Entries({ entries }: { entries: MenuEntry[] }) {
  // Entries have no identity, so their index is the key.
  return withPlaces(entries).map(({ entry, place }) => {
    if (entry.kind === 'separator') return <Base.Separator key={place} className="-mx-1 my-1 h-px bg-line" />
    if (entry.kind === 'heading')
      return (
        <div key={place} className="px-2 pt-1.5 pb-1 text-12 text-ink-3">
          {entry.label}
        </div>
      )
    return <Item key={entry.key ?? place} entry={entry} />
  })
}

function withPlaces(entries: MenuEntry[]) {
  return entries.map((entry, index) => ({ entry, place: String(index) }))
}

function Item({ entry }: { entry: Exclude<MenuEntry, { kind: 'heading' } | { kind: 'separator' }> }) {
  const { label, icon, end, tone, disabled, checked, href, onSelect } = entry
  const look = clsx(
    'flex min-h-8 w-full items-center gap-2.5 rounded-control px-2 text-13 whitespace-nowrap outline-none select-none max-md:min-h-11',
    'data-highlighted:bg-surface-2 data-disabled:text-ink-3 data-disabled:opacity-70 [&>svg]:icon',
    tone === 'danger' ? 'text-danger' : 'text-ink [&>svg]:text-ink-2',
  )
  const content = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {end && <span className="num text-12 text-ink-3">{end}</span>}
      {checked && <Check aria-hidden className="!icon-14 text-ink-2" />}
    </>
  )
  if (href)
    return (
      <Base.LinkItem closeOnClick render={<a href={href} />} className={look} onClick={onSelect}>
        {content}
      </Base.LinkItem>
    )
  return (
    <Base.Item disabled={disabled} className={look} onClick={onSelect} aria-current={checked || undefined}>
      {content}
    </Base.Item>
  )
}

const popupLook =
  'pop-motion min-w-50 max-w-[min(360px,calc(100vw-16px))] rounded-card bg-raised p-1 shadow-float outline-none'
