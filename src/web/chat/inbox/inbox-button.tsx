import { Link, useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { idOf } from './inbox-groups.ts'
import { InboxIcon } from './inbox-icon.tsx'
import { writeSpan } from './inbox-times.tsx'
import { pageOf, titleOf, wordsOf } from './inbox-words.ts'
import { useWaiting } from './use-inbox.ts'

/** The number of waiting requests, on every page; opens the first ones. */
export function InboxButton() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const { data } = useWaiting()
  const { items = [], total = 0 } = data ?? {}
  const name = total > 0 ? `${t('nav.inbox')}, ${t('inbox.count', { count: total })}` : t('nav.inbox')
  const button = (
    <IconButton name={name} count={total} on={isOpen}>
      <Inbox aria-hidden className="icon" />
    </IconButton>
  )
  const go = (to: string) => {
    setOpen(false)
    void navigate({ to })
  }
  return (
    <Popover
      trigger={button}
      name={t('inbox.waiting_title')}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-98 max-w-[calc(100vw-24px)] !p-0"
    >
      <div className="flex h-11 items-center gap-1.5 border-b border-line pr-2 pl-4 text-14">
        <span className="font-medium">{t('inbox.waiting_title')}</span>
        <span className="num text-ink-3">{total}</span>
        <span className="flex-1" />
        <Button variant="ghost" size="sm" onClick={() => go('/inbox')}>
          {t('inbox.open_all')}
        </Button>
      </div>
      {items.length === 0 && <p className="px-4 py-5 text-13 text-ink-2">{t('inbox.empty.waiting')}</p>}
      <ul>
        {items.map((item) => (
          <WaitingItem key={idOf(item)} item={item} onLeave={() => setOpen(false)} />
        ))}
      </ul>
    </Popover>
  )
}

function WaitingItem({ item, onLeave }: { item: InputRequest; onLeave: () => void }) {
  const { t } = useTranslation(['common', 'tool_ui'], { useSuspense: false })
  return (
    <li className="flex gap-3 border-line px-4 py-3 not-first:border-t">
      <InboxIcon request={item.request} small />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <span dir="auto" className="flex-1 truncate text-13 font-medium">
            {titleOf(item, t)}
          </span>
          <span className="num text-12 whitespace-nowrap text-ink-3">
            {writeSpan(item.request.created_at, new Date())}
          </span>
        </div>
        <p dir="auto" className="line-clamp-2 text-13 text-ink-2">
          {wordsOf(item, t)}
        </p>
        <Link
          {...linkOf(item, t)}
          className={clsx(buttonLook({ size: 'sm' }), 'mt-2 max-md:!h-11')}
          onClick={onLeave}
        />
      </div>
    </li>
  )
}

/** Returns the link to answer a request, and its label. */
function linkOf(item: InputRequest, t: TFunction) {
  const { request } = item
  if (request.type === 'paused') return { to: '/user/billing', children: t('inbox.top_up') }
  const children = t(request.kind === 'approval' ? 'inbox.review' : 'inbox.answer')
  return { ...(pageOf(item) ?? { to: '/inbox' }), children }
}
