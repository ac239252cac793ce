import { Navigate } from '@tanstack/react-router'
import type { HomePage } from '#shared/lifecycle/home/home.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { HomeProjects } from './home-projects.tsx'
import { DueRow, FinishedRow, UnreadRow, WaitingRow } from './home-rows.tsx'
import { HomeSection, ShowAll, ShowHistory } from './home-section.tsx'
import { useHome } from './use-home.ts'

/** Shows waiting requests, results since the last visit, today’s schedules, unread chats and pinned projects. */
export function HomeView() {
  const { t } = useTranslation('home')
  const { data, error, isPending, refetch } = useHome()
  if (data?.is_new) return <Navigate to="/" replace />
  return (
    <View title={t('title')}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[1080px] px-8 pt-6 pb-24 max-md:px-4 max-md:pt-4">
          <p className="pb-5 text-18 font-semibold tracking-[-0.015em] first-letter:uppercase max-md:pb-4">
            {formatDate(new Date(), { weekday: 'long', day: 'numeric', month: 'long' })}
          </p>
          {isPending && <HomeSkeleton />}
          {error && !data && (
            <Callout
              tone="danger"
              title={t('load_failed')}
              action={
                <Button size="sm" onClick={() => void refetch()}>
                  {t('common:actions.retry')}
                </Button>
              }
            >
              {errorText(t, error)}
            </Callout>
          )}
          {data && <HomeContent home={data} />}
        </div>
      </div>
    </View>
  )
}

const columns = 'grid grid-cols-1 gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]'

function HomeContent({ home: { waiting, finished, today, unread, projects, since } }: { home: HomePage }) {
  const { t } = useTranslation('home')
  const hasSchedules = useIsOpen('schedules')
  const sinceText = formatDate(since, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  return (
    <div className={columns}>
      <div className="grid min-w-0 content-start gap-7">
        <HomeSection
          title={t('waiting.title')}
          {...waiting}
          empty={t('waiting.empty')}
          more={<ShowAll to="/inbox" of={t('waiting.title')} />}
        >
          {waiting.items.map((item) => (
            <WaitingRow key={item.request.id} item={item} />
          ))}
        </HomeSection>
        <HomeSection
          title={t('finished.title')}
          {...finished}
          hint={t('finished.since', { time: sinceText })}
          empty={t('finished.empty', { time: sinceText })}
          more={<ShowAll to="/notifications" of={t('finished.title')} />}
        >
          {finished.items.map((item) => (
            <FinishedRow key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </HomeSection>
        <HomeSection
          title={t('unread.title')}
          {...unread}
          empty={t('unread.empty')}
          more={<ShowHistory of={t('unread.title')} />}
        >
          {unread.items.map((chat) => (
            <UnreadRow key={chat.id} chat={chat} />
          ))}
        </HomeSection>
      </div>
      <div className="grid min-w-0 content-start gap-7">
        {hasSchedules && (
          <HomeSection
            title={t('today.title')}
            {...today}
            empty={t('today.empty')}
            more={<ShowAll to="/schedules" of={t('today.title')} />}
          >
            {today.items.map((slot) => (
              <DueRow key={slot.id} slot={slot} />
            ))}
          </HomeSection>
        )}
        <HomeProjects projects={projects} />
      </div>
    </div>
  )
}

function HomeSkeleton() {
  return (
    <div className={columns}>
      <Skeletons
        className="grid content-start gap-3"
        sizes={['h-5 w-40', 'h-14', 'h-14', 'h-5 w-40', 'h-14']}
      />
      <Skeletons className="grid content-start gap-3" sizes={['h-5 w-40', 'h-14', 'h-14']} />
    </div>
  )
}
