import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, Inbox } from 'lucide-react'
import { type InputRequest, RequestState } from '#shared/input-requests/input-requests.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { View } from '../ui/view.tsx'
import { useInputRequests } from './inbox.ts'
import { InboxPast } from './inbox-past.tsx'
import { InboxWaiting } from './inbox-waiting.tsx'

/** Everything that waits for the person, across chats; and what was answered or ran out of time. */
export function InboxView() {
  const { t } = useTranslation('common')
  const status = useStatus()
  const requests = useInputRequests(status)
  const waiting = useInputRequests('waiting')
  return (
    <View
      title={t('nav.inbox')}
      badges={
        waiting.data && (
          <span className="truncate text-13 text-ink-3 max-lg:hidden">
            {t('inbox.count', { count: waiting.data.total })}
          </span>
        )
      }
      actions={<StatusChoice status={status} />}
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[880px] px-3 pt-2.5 pb-24 md:px-8">
          {requests.isPending && <ListSkeleton />}
          {requests.isError && !requests.data && (
            <Callout
              tone="danger"
              className="mt-3"
              title={t('inbox.load_failed')}
              action={
                <Button size="sm" onClick={() => void requests.refetch()}>
                  {t('actions.retry')}
                </Button>
              }
            >
              {errorText(t, requests.error)}
            </Callout>
          )}
          {requests.data && <Items status={status} items={requests.data.items} total={requests.data.total} />}
        </div>
      </div>
    </View>
  )
}

function Items({ status, items, total }: { status: RequestState; items: InputRequest[]; total: number }) {
  const { t } = useTranslation('common')
  if (items.length === 0)
    return (
      <EmptyState
        className="pt-24"
        icon={status === 'waiting' ? <CircleCheck aria-hidden /> : <Inbox aria-hidden />}
        title={t(`inbox.empty.${status}`)}
      >
        {t('inbox.empty.text')}
      </EmptyState>
    )
  return (
    <>
      {status === 'waiting' ? <InboxWaiting items={items} /> : <InboxPast items={items} />}
      {total > items.length && (
        <p className="pt-3 text-center text-12 text-ink-3">
          {t('inbox.shown', { shown: items.length, total })}
        </p>
      )}
    </>
  )
}

function useStatus(): RequestState {
  const { status } = useSearch({ strict: false }) as { status?: string }
  return RequestState.options.find((option) => option === status) ?? 'waiting'
}

function StatusChoice({ status }: { status: RequestState }) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return (
    <fieldset aria-label={t('inbox.status')} className="flex rounded-control bg-surface-2 p-0.5">
      {RequestState.options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={status === option}
          className={`h-7 rounded-[5px] px-3 text-12 font-medium hover-motion max-md:h-9 max-md:px-2 ${status === option ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:text-ink'}`}
          onClick={() =>
            void navigate({ to: '/inbox', search: option === 'waiting' ? {} : { status: option } })
          }
        >
          {t(`inbox.states.${option}`)}
        </button>
      ))}
    </fieldset>
  )
}

function ListSkeleton() {
  const { t } = useTranslation('common')
  return (
    <div role="status" className="grid gap-2 pt-10">
      <span className="sr-only">{t('inbox.loading')}</span>
      <Delayed>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-22 rounded-card" />
        ))}
      </Delayed>
    </div>
  )
}
