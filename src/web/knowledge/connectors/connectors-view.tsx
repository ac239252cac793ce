import { useParams } from '@tanstack/react-router'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isAdmin } from '../../platform/lib/me/roles.ts'
import { ClosedPart } from '../../platform/ui/closed-part.tsx'
import { View } from '../../platform/ui/view.tsx'
import { AddConnector } from './adding/add-connector.tsx'
import { ConnectorDetail } from './detail/connector-detail.tsx'
import { ConnectorList } from './list/connector-list.tsx'

/** Id in the address of the page that adds a connector. */
const NEW = 'new'

/** The connectors that a person manages, one of them, or the steps that add one. */
export function ConnectorsView() {
  const { t } = useTranslation('common')
  const { connectorId = null } = useParams({ strict: false }) as { connectorId?: string }
  const me = useMe()
  // Administrators keep the connectors of their company.
  if (me?.hidden_controls?.includes('connectors') && !isAdmin(me))
    return (
      <View title={t('common:closed.title')}>
        <ClosedPart isHidden />
      </View>
    )
  if (connectorId === null) return <ConnectorList />
  return connectorId === NEW ? <AddConnector /> : <ConnectorDetail key={connectorId} id={connectorId} />
}
