import { useState } from 'react'
import { type McpServer, updateMcpServer } from '#shared/own-tools/mcp-servers.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { useAction } from '../lib/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { CompanyChoice } from '../ui/choices/company-choice.tsx'
import { toast } from '../ui/toasts/toasts.ts'
import { noteServer } from './use-servers.ts'

/** Which companies use a server. */
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
