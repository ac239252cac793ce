import { CircleCheck, CircleDashed, CircleOff, CircleX } from 'lucide-react'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import type { TestState } from './use-connections.ts'

type ConnectionStatusProps = { connection: ModelConnection; test: TestState | undefined }

/** Status of a connection: the result of the last test here, otherwise the status the server reports. */
export function ConnectionStatus({ connection, test }: ConnectionStatusProps) {
  const { t } = useTranslation('admin')
  const state = stateOf(connection, test)
  const { tone, icon } = looks[state]
  return (
    <span role="status">
      <Badge tone={tone} icon={icon}>
        {t(`models.status.${state}`)}
      </Badge>
    </span>
  )
}

function stateOf(connection: ModelConnection, test: TestState | undefined) {
  if (test === 'running') return 'testing'
  if (!connection.enabled) return 'off'
  if (test) return test.ok ? 'ok' : 'error'
  return connection.status
}

const looks = {
  ok: { tone: 'success', icon: <CircleCheck aria-hidden /> },
  error: { tone: 'danger', icon: <CircleX aria-hidden /> },
  untested: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
  off: { tone: 'neutral', icon: <CircleOff aria-hidden /> },
  testing: { tone: 'accent', icon: <Spinner /> },
} as const
