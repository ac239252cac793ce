import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { idOf } from './inbox-groups.ts'
import { InboxIcon } from './inbox-icon.tsx'
import { pageOf, placeOf, titleOf, wordsOf } from './inbox-words.ts'

type RowFrameProps = {
  item: InputRequest
  isCurrent: boolean
  /** Called when it receives the focus. */
  onCurrent: () => void
  /** Shown below the text. */
  meta?: ReactNode
  /** Shown at the right end, or below on a narrow screen. */
  actions: ReactNode
  /** Content of an opened row below its header. */
  children?: ReactNode
}

/** One row of the inbox: its chat, its request, and the actions. */
export function RowFrame({ item, isCurrent, onCurrent, meta, actions, children }: RowFrameProps) {
  const { t } = useTranslation(['common', 'tool_ui'])
  const title = titleOf(item, t)
  const place = placeOf(item, t)
  return (
    <section
      aria-label={title}
      data-row={idOf(item)}
      tabIndex={-1}
      onFocus={onCurrent}
      className={clsx(
        'relative mt-2 scroll-my-12 overflow-hidden first-of-type:mt-0 rounded-card border bg-bg',
        isCurrent
          ? 'border-line-strong before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-pill before:bg-accent'
          : 'border-line',
      )}
    >
      <div
        className={clsx(
          'grid grid-cols-[32px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-3 py-3.5 pr-3.5 pl-4 lg:grid-cols-[32px_minmax(0,1fr)_auto]',
          children && 'border-b border-line',
        )}
      >
        <InboxIcon request={item.request} />
        <div className="min-w-0">
          <h3 className="flex items-baseline gap-2 text-14">
            <TitleLink item={item} />
            {place && <span className="truncate text-12 text-ink-3 max-md:hidden">{place}</span>}
          </h3>
          <p className="mt-px text-13 leading-[19px] wrap-anywhere text-ink-2">{wordsOf(item, t)}</p>
          {meta}
        </div>
        <div className="flex flex-wrap items-center gap-2 max-lg:col-start-2 max-md:col-span-full max-md:[&>a]:flex-1 max-md:[&>button]:flex-1">
          {actions}
        </div>
      </div>
      {children}
    </section>
  )
}

/** The name of the chat or of the executed tool, as a link. */
export function TitleLink({ item }: { item: InputRequest }) {
  const { t } = useTranslation(['common', 'tool_ui'])
  const title = titleOf(item, t)
  const page = pageOf(item)
  if (!page)
    return (
      <span dir="auto" className="truncate font-medium">
        {title}
      </span>
    )
  return (
    <Link {...page} dir="auto" className="truncate font-medium hover:underline">
      {title}
    </Link>
  )
}
