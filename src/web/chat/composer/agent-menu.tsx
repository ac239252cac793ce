import { ChevronDown } from 'lucide-react'
import { type Session, setSessionAgent } from '#shared/chat/sessions/sessions.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { setInSession } from '../../runs/sessions/sessions.ts'
import { agentIcons, agentTypes } from './agent-type.ts'

/** Selects the agent type of a chat's next replies. */
export function AgentMenu({ session }: { session: Session | null }) {
  const { t } = useTranslation('streaming_blocks')
  const [mayChoose, mayResearch] = [useIsOpen('agent_picker'), useIsOpen('deep_research')]
  if (!session || !mayChoose) return null
  const current = session.session_metadata.agent_type ?? 'multi_turn'
  const Icon = agentIcons[current]
  const choose = (agent_type: AgentType) => {
    if (agent_type === current) return
    const save = () => call(setSessionAgent, { params: { sessionId: session.id }, body: { agent_type } })
    setInSession(session.id, { agent_type }, save).catch((error) => toast.error(errorText(t, error)))
  }
  return (
    <Menu
      side="top"
      className="w-[400px] max-w-[calc(100vw-2rem)]"
      trigger={
        <Button
          variant="ghost"
          className="min-w-0"
          aria-label={t('agent.button', { agent: t(`agent.${current}.name`) })}
          icon={<Icon aria-hidden className="icon" />}
        >
          <span className="truncate max-lg:sr-only">{t(`agent.${current}.name`)}</span>
          <ChevronDown aria-hidden className="icon-14" />
        </Button>
      }
      entries={[
        { kind: 'heading', label: t('agent.choose') },
        ...agentTypes
          .filter((type) => type !== 'deep_research' || mayResearch)
          .map((type) => ({
            key: type,
            checked: type === current,
            icon: <AgentIcon type={type} />,
            label: (
              <span className="block py-[5px] whitespace-normal">
                <span className="block leading-[18px] font-medium">{t(`agent.${type}.name`)}</span>
                <span className="block text-12 leading-4 text-ink-2">{t(`agent.${type}.note`)}</span>
              </span>
            ),
            onSelect: () => choose(type),
          })),
      ]}
    />
  )
}

/** Marks a chat whose agent type is not the default, next to its title. */
export function AgentBadge({ session }: { session: Session | null }) {
  const { t } = useTranslation('streaming_blocks')
  const type = session?.session_metadata.agent_type ?? 'multi_turn'
  if (type === 'multi_turn') return null
  return (
    <Badge tone="line" icon={<AgentIcon type={type} />} className="max-lg:hidden">
      {t(`agent.${type}.name`)}
    </Badge>
  )
}

function AgentIcon({ type }: { type: AgentType }) {
  const Icon = agentIcons[type]
  return <Icon aria-hidden className="icon" />
}
