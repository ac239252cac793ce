import { ContextMenu as BaseContext } from '@base-ui/react/context-menu'
import { Menu as Base } from '@base-ui/react/menu'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

export type MenuEntry =
  | {
      kind?: 'item'
      key?: string
      label: ReactNode
      icon?: ReactNode
      /** Shown at the right end: keys, a value. */
      end?: ReactNode
      tone?: 'danger'
      disabled?: boolean
      /** Shows a tick: the entry is what holds now. */
      checked?: boolean
      /** Opens an address instead of doing something. */
      href?: string
      onSelect?: () => void
    }
  | { kind: 'heading'; label: ReactNode }
  | { kind: 'separator' }

export type MenuProps = {
  /** The control that opens it; a `Button` or an `IconButton`. */
  trigger: ReactElement
  entries: MenuEntry[]
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A list of things to do, opened by a button. Arrows, Home, End and letters move, Escape closes. */
export function Menu({
  trigger,
  entries,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
  className,
}: MenuProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-popover) outline-none"
        >
          <Base.Popup className={clsx(popupLook, className)}>
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** The same list on a right click or long press of its children. */
export function ContextMenu({
  entries,
  children,
  className,
}: {
  entries: MenuEntry[]
  children: ReactElement
  className?: string
}) {
  return (
    <BaseContext.Root>
      <BaseContext.Trigger render={children} />
      <BaseContext.Portal>
        <BaseContext.Positioner className="z-(--z-popover) outline-none">
          <BaseContext.Popup className={clsx(popupLook, className)}>
            <Entries entries={entries} />
          </BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  )
}

function Entries({ entries }: { entries: MenuEntry[] }) {
  // Entries have no identity of their own; their place is what they are.
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
