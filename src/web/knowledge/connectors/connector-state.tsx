import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge, StatusMark } from '../../platform/ui/badge.tsx'
import { isBeforeSignIn, stateLooks } from './connector-words.ts'

/** The state of a connector in a word. */
export function StateBadge({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { state } = connector
  const isFirst = isBeforeSignIn(connector)
  const { tone, Icon } = stateLooks[state]
  return (
    <Badge
      tone={isFirst ? 'neutral' : tone}
      icon={state === 'working' ? <StatusMark status="running" /> : <Icon aria-hidden />}
    >
      {t(isFirst ? 'state.to_sign_in' : `state.${state}`)}
    </Badge>
  )
}
