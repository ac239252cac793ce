import { Eye } from 'lucide-react'
import { tryCall } from '#shared/tools/own-tools/try-call.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { ShownRequest } from './shown-request.tsx'

type RequestPreviewProps = { toolId: string; read: () => Record<string, unknown> }

/** Dry run: shows the request that an own tool would send with these inputs. */
export default function RequestPreview({ toolId, read }: RequestPreviewProps) {
  const { t } = useTranslation('own_tools')
  const { run, isPending, data, error } = useAction(() =>
    call(tryCall, { body: { tool_id: toolId, inputs: read(), dry_run: true } }),
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Button wide busy={isPending} icon={<Eye aria-hidden className="icon-14" />} onClick={() => void run()}>
        {t('test.show')}
      </Button>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {data && <ShownRequest request={data.request} />}
    </div>
  )
}
