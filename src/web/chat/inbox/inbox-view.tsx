import { CircleCheck, Inbox } from 'lucide-react'
import { type InputRequest, RequestState } from '#shared/runs/input-requests/input-requests.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { DeputyQuestions } from '../schedules/schedules.ts'
import { AssistantChoice } from './assistant-filter.tsx'
import { isAsked } from './inbox-groups.ts'
import { InboxPast } from './inbox-past.tsx'
import { InboxWaiting } from './inbox-waiting.tsx'
import { type InboxPlace, useInbox, useWaiting } from './use-inbox.ts'
import { useGo, useInboxPlace } from './use-inbox-place.ts'

/** All requests that wait for the person, across chats, and those answered or expired. */
export function InboxView() {
  const { t } = useTranslation('common')
  const place = useInboxPlace()
  const requests = useInbox(place)
  const waiting = useWaiting()
  return (
    <View
      title={t('nav.inbox')}
      badges={
        waiting.data && (
          <span className="truncate text-13 text-ink-3 max-xl:hidden">
            {t('inbox.count', { count: waiting.data.total })}
          </span>
        )
      }
      actions={
        // On a narrow screen they are on a separate line below the top bar.
        <div className="flex items-center gap-2 max-lg:absolute max-lg:inset-x-0 max-lg:top-13 max-lg:h-13 max-lg:justify-between max-lg:px-3">
          <StatusChoice place={place} />
          <AssistantChoice place={place} assistants={requests.data?.assistants} />
        </div>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto max-lg:mt-13">
        <div className="mx-auto max-w-[944px] px-3 pt-2.5 pb-24 md:px-8">
          {place.status === 'waiting' && <DeputyQuestions />}
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
          {requests.data && <Items place={place} {...requests.data} />}
          {requests.hasNextPage && (
            <p className="pt-3 text-center">
              <Button busy={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
                {t('inbox.more')}
              </Button>
            </p>
          )}
        </div>
      </div>
    </View>
  )
}

type ItemsProps = { place: InboxPlace; items: InputRequest[]; total: number }

function Items({ place: { status, assistant }, items, total }: ItemsProps) {
  const { t } = useTranslation('common')
  const go = useGo()
  if (items.length === 0)
    return (
      <EmptyState
        className="pt-24"
        icon={status === 'waiting' ? <CircleCheck aria-hidden /> : <Inbox aria-hidden />}
        title={t(`inbox.empty.${status}`)}
        action={
          assistant !== null && (
            <Button onClick={() => go({ status, assistant: null })}>{t('inbox.all_assistants')}</Button>
          )
        }
      >
        {t('inbox.empty.text')}
      </EmptyState>
    )
  return (
    <>
      {status === 'waiting' ? <InboxWaiting items={items} /> : <InboxPast items={items.filter(isAsked)} />}
      {total > items.length && (
        <p className="pt-3 text-center text-12 text-ink-3">
          {t('inbox.shown', { shown: items.length, total })}
        </p>
      )}
    </>
  )
}

function StatusChoice({ place: { status, assistant } }: { place: InboxPlace }) {
  const { t } = useTranslation('common')
  const go = useGo()
  return (
    <fieldset aria-label={t('inbox.status')} className="flex rounded-control bg-surface-2 p-0.5">
      {RequestState.options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={status === option}
          className={`h-7 rounded-[5px] px-3 text-12 font-medium hover-motion whitespace-nowrap max-md:h-9 ${status === option ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:text-ink'}`}
          onClick={() => go({ status: option, assistant })}
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
