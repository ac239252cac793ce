import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { UnansweredGroup, UnansweredState } from '#shared/chat/projects/unanswered.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useUnanswered } from './use-unanswered.ts'

/** Questions of at least five people that the documents of a project could not answer. */
export function UnansweredSection({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data, error, refetch, isPending, decide, isDeciding } = useUnanswered(id)
  const [isWhole, setWhole] = useState(false)
  const items = data?.items ?? []
  const dismissed = items.filter(({ state }) => state === 'dismissed').length
  const shown = items.filter(({ state }) => isWhole || state !== 'dismissed')
  return (
    <SettingsSection title={t('unanswered.title')} text={t('unanswered.text')}>
      {isPending && <Skeletons sizes={['h-12 w-full', 'h-12 w-full']} />}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data && shown.length === 0 && <p className="text-13 text-ink-2">{t('unanswered.none')}</p>}
      {shown.length > 0 && (
        <ul
          aria-label={t('unanswered.title')}
          className="divide-y divide-line rounded-card border border-line text-13"
        >
          {shown.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              isBusy={isDeciding}
              onDecide={(state) => decide({ id: group.id, state })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Link
          to="/documents/workspace/$workspaceId"
          params={{ workspaceId: id }}
          className="text-13 text-accent hover:underline"
        >
          {t('unanswered.add_document')}
        </Link>
        {dismissed > 0 && (
          <Button size="sm" variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('unanswered.hide_dismissed') : t('unanswered.show_dismissed', { count: dismissed })}
          </Button>
        )}
      </div>
    </SettingsSection>
  )
}

type GroupRowProps = {
  group: UnansweredGroup
  isBusy: boolean
  onDecide: (state: UnansweredState) => void
}

function GroupRow({ group, isBusy, onDecide }: GroupRowProps) {
  const { t } = useTranslation('projects')
  const { words, askers, counted_on, state } = group
  const name = words.length > 0 ? words.join(' · ') : t('unanswered.no_words')
  const day = formatDate(`${counted_on}T12:00:00Z`, { day: 'numeric', month: 'short', year: 'numeric' })
  const action = (next: UnansweredState, text: string) => (
    <Button size="sm" disabled={isBusy} aria-label={`${text}: ${name}`} onClick={() => onDecide(next)}>
      {text}
    </Button>
  )
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5">
      <span className="min-w-0 flex-1 basis-56">
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          {state !== 'open' && (
            <Badge tone={state === 'answered' ? 'success' : 'line'}>{t(`unanswered.state.${state}`)}</Badge>
          )}
        </span>
        <span className="num mt-0.5 block text-12 text-ink-3">
          {t('unanswered.asked', { count: askers, day })}
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        {state === 'open' ? (
          <>
            {action('answered', t('unanswered.answer'))}
            {action('dismissed', t('unanswered.dismiss'))}
          </>
        ) : (
          action('open', t('unanswered.reopen'))
        )}
      </span>
    </li>
  )
}
