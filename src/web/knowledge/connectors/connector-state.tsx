import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge, StatusMark } from '../../platform/ui/badge.tsx'
import { stateLooks } from './connector-words.ts'

/** The state of a connector in a word. */
export function StateBadge({ connector: { state } }: { connector: Pick<Connector, 'state'> }) {
  const { t } = useTranslation('connectors')
  const { tone, Icon } = stateLooks[state]
  return (
    <Badge tone={tone} icon={state === 'working' ? <StatusMark status="running" /> : <Icon aria-hidden />}>
      {t(`state.${state}`)}
    </Badge>
  )
}
