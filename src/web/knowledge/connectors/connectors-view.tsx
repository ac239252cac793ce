import { useParams } from '@tanstack/react-router'
import { AddConnector } from './adding/add-connector.tsx'
import { ConnectorDetail } from './detail/connector-detail.tsx'
import { ConnectorList } from './list/connector-list.tsx'

/** Id in the address of the page that adds a connector. */
const NEW = 'new'

/** The connectors that a person manages, one of them, or the steps that add one. */
export function ConnectorsView() {
  const { connectorId = null } = useParams({ strict: false }) as { connectorId?: string }
  if (connectorId === null) return <ConnectorList />
  return connectorId === NEW ? <AddConnector /> : <ConnectorDetail key={connectorId} id={connectorId} />
}
