import { Tabs as Base } from '@base-ui/react/tabs'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useCurrentInSight } from './use-current-in-sight.ts'

export type Tab = { value: string; label: ReactNode; count?: number; content?: ReactNode }

/** Views of the same thing, one shown at a time. Arrows move between them. */
export function Tabs({
  tabs,
  value,
  onValueChange,
  name,
  pinned,
  className,
}: {
  tabs: Tab[]
  value: string
  onValueChange: (value: string) => void
  /** Label of the tabs, for assistive technology. */
  name: string
  /** They stay visible while their content scrolls. */
  pinned?: boolean
  className?: string
}) {
  const row = useCurrentInSight<HTMLDivElement>(value)
  return (
    <Base.Root value={value} onValueChange={(next) => onValueChange(String(next))} className={className}>
      <Base.List
        ref={row}
        aria-label={name}
        className={clsx(
          'flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line',
          pinned && 'sticky top-0 z-1 bg-raised',
        )}
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            data-tour={`tab-${tab.value}`}
            className={clsx(
              'inline-flex h-10 items-center gap-1.5 border-b-2 border-transparent text-13 font-medium whitespace-nowrap text-ink-2 hover-motion max-md:h-11',
              'hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink',
            )}
          >
            {tab.label}
            {tab.count !== undefined && <span className="num font-regular text-ink-3">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(
        (tab) =>
          tab.content !== undefined && (
            <Base.Panel key={tab.value} value={tab.value} className="outline-none">
              {tab.content}
            </Base.Panel>
          ),
      )}
    </Base.Root>
  )
}
