import { Fragment } from 'react'
import { leadingTypes, MAX_TEAM } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { groupAssistants } from './assistant-list.ts'
import { chooseTeam } from './choose-team.ts'
import { MoreButton } from './more-button.tsx'
import { useAssistants } from './use-assistants.ts'

/** The assistants to which the orchestrator of a chat may delegate. */
export function TeamSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('assistant')
  const { data, isError, more } = useAssistants()
  const team = useTeam(sessionId)
  if (!data && isError) return <p className="p-4 text-13 text-ink-2">{t('load_failed')}</p>
  if (!data) return <Skeletons sizes={['h-4 w-40', 'h-4 w-56', 'h-4 w-32']} />
  const workers = data.filter(
    ({ status, agent_type }) => status === 'published' && !leadingTypes.includes(agent_type),
  )
  const isFull = team.length >= MAX_TEAM
  const toggle = (id: string, isChosen: boolean) => {
    const next = isChosen ? [...team, id] : team.filter((other) => other !== id)
    chooseTeam(sessionId, next).catch((error) => toast.error(errorText(t, error)))
  }
  return (
    <div className="pt-2 pb-3">
      <p className="px-4 pb-1 text-12 text-ink-2">
        {isFull ? t('team.most', { most: MAX_TEAM }) : t('team.hint')}
      </p>
      {groupAssistants(workers, '').map(({ name, assistants }) => (
        <Fragment key={name}>
          <div className="px-4 pt-2 pb-1 text-12 text-ink-3">{t(name)}</div>
          {assistants.map((one) => (
            <Checkbox
              key={one.id}
              className="flex w-full min-w-0 px-4 py-1.5 !text-13"
              checked={team.includes(one.id)}
              disabled={isFull && !team.includes(one.id)}
              onCheckedChange={(isChosen) => toggle(one.id, isChosen)}
              label={<span className="line-clamp-1">{one.name}</span>}
            />
          ))}
        </Fragment>
      ))}
      {more && <MoreButton more={more} />}
    </div>
  )
}

/** Number of chosen assistants. */
export function TeamNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('assistant')
  const count = useTeam(sessionId).length
  return count === 0 ? t('team.default') : t('team.chosen', { count })
}

function useTeam(sessionId: string): string[] {
  const { data } = useSessionDetails(sessionId)
  return data?.session_metadata.session_assistants ?? []
}
