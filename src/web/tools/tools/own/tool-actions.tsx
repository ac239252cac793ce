import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { exportTools } from '#shared/tools/own-tools/tool-file.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { saveFile } from '../../../platform/ui/files/save-file.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { DeleteTool } from './delete-tool.tsx'
import { definitionKey, loadDefinition } from './save.ts'
import { ShareTool } from './share-tool.tsx'

/** Owner's actions on the page of a tool. */
export default function ToolActions({ tool }: { tool: Tool }) {
  const { t } = useTranslation('own_tools')
  const [mayMake, mayConnect] = [useIsOpen('own_tools'), useIsOpen('mcp_servers')]
  const { data: own } = useQuery({
    queryKey: definitionKey(tool.id),
    queryFn: ({ signal }) => loadDefinition(tool.id, signal),
  })
  const { run, isPending } = useAction(async () => {
    const file = await call(exportTools, { body: { tool_ids: [tool.id] } }).catch((error) => {
      void toast.error(t('file.export_failed'))
      throw error
    })
    saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${tool.id}.json`)
  })
  // MCP tools are managed on their server's page.
  if (tool.kind === 'mcp')
    return own && mayConnect ? (
      <div className="mt-5 flex">
        <Link to="/tools/servers/$serverId" params={{ serverId: own.set.id }} className={buttonLook()}>
          {own.set.name}
        </Link>
      </div>
    ) : null
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      {mayMake && (
        <Link to="/tools/$toolId/edit" params={{ toolId: tool.id }} className={buttonLook()}>
          {t('edit')}
        </Link>
      )}
      {own && <ShareTool own={own} />}
      <Button busy={isPending} icon={<Download aria-hidden className="icon-14" />} onClick={() => void run()}>
        {t('file.export')}
      </Button>
      {mayMake && own?.set.imported && (
        <Link to="/tools/openapi" search={{ set: own.set.id }} className={buttonLook()}>
          {t('openapi.again')}
        </Link>
      )}
      <DeleteTool tool={tool} />
    </div>
  )
}
