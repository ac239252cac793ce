import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SectionHead } from './section-head.tsx'
import { useProjectSchedules } from './use-parts.ts'

/** The person's schedules that run in a project. */
export function ProjectSchedules({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useProjectSchedules(id)
  return (
    <section>
      <SectionHead title={t('schedules.title')} note={data ? String(data.items.length) : ''}>
        <Link to={'/schedules' as '/documents'} className="text-13 text-accent hover:underline">
          {t('schedules.all')}
        </Link>
      </SectionHead>
      {!data && <Skeletons sizes={['h-10 w-full']} />}
      {data && (
        <ul
          aria-label={t('schedules.title')}
          className="divide-y divide-line overflow-hidden rounded-card border border-line text-13"
        >
          {data.items.map(({ id: scheduleId, name, sentence, state, next_at }) => (
            <li
              key={scheduleId}
              className="relative flex gap-2.5 px-3.5 py-2.5 hover-motion hover:bg-surface"
            >
              <CalendarClock aria-hidden className="icon mt-0.5 flex-none text-ink-3" />
              <span className="min-w-0">
                <Link
                  to={`/schedules/${scheduleId}` as '/documents'}
                  dir="auto"
                  className="block truncate font-medium after:absolute after:inset-0"
                >
                  {name}
                </Link>
                <span className="block text-12 text-ink-3">
                  {state === 'on' && next_at
                    ? t('schedules.next', {
                        rule: sentence,
                        date: formatDate(next_at, { day: 'numeric', month: 'short' }),
                      })
                    : state === 'on'
                      ? sentence
                      : t(`schedules.${state}`)}
                </span>
              </span>
            </li>
          ))}
          {data.items.length === 0 && <li className="px-3.5 py-2.5 text-ink-2">{t('schedules.none')}</li>}
          {data.others > 0 && (
            <li className="px-3.5 py-2 text-12 text-ink-3">
              {t('schedules.others', { count: data.others })}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
