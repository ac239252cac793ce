import { useState } from 'react'
import { type McpServer, updateMcpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CompanyChoice } from '../../platform/ui/choices/company-choice.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteServer } from './use-servers.ts'

/** Companies that may use a server. */
export function ServerSharing({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const [companies, setCompanies] = useState(server.companies)
  const { run, isPending, error } = useAction(
    () => call(updateMcpServer, { params: { toolSetId: server.id }, body: { companies } }),
    (saved) => {
      noteServer(saved)
      void toast.success(t('servers.saved'))
    },
  )
  return (
    <>
      <CompanyChoice
        title={t('servers.sharing')}
        hint={t('servers.sharing_hint')}
        value={companies}
        onChange={setCompanies}
      />
      {error !== null && (
        <Callout tone="danger" title={t('servers.save_failed')}>
          {errorText(t, error)}
        </Callout>
      )}
      <div>
        <Button variant="primary" busy={isPending} onClick={() => void run()}>
          {t('servers.save')}
        </Button>
      </div>
    </>
  )
}
