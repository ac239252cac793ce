import { lazy, Suspense } from 'react'
import type { InputRequiredBlock, ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { CardFacts, CardStatus } from '../../../platform/lib/card-status.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Failure, type Remedies } from '../card/failure.tsx'
import { ToolBody } from '../card/tool-card.tsx'
import { Values } from '../card/values.tsx'
import { useTool } from '../look/use-tools.ts'

const ExecutionRequest = lazy(() => import('./execution-request.tsx'))

type ExecutionOutputProps = {
  block: ToolBlock
  request?: InputRequiredBlock | null | undefined
  card: ToolCardParts | null | undefined
  missing: string | null
  facts: CardFacts
  status: CardStatus
  remedies?: Remedies | undefined
}

/** Input request, the tool's own interface if it has one, and the raw output. */
export function ExecutionOutput(props: ExecutionOutputProps) {
  const { block, request, card, missing, facts, status, remedies } = props
  const { t } = useTranslation('streaming_blocks')
  const trouble = useInterfaceTrouble(block.tool_id)
  return (
    <div className="grid gap-4">
      {trouble && <p className="text-13 text-ink-2">{trouble}</p>}
      {request && (
        <Suspense fallback={<Skeleton className="h-40 rounded-card" />}>
          <ExecutionRequest id={block.id} request={request} />
        </Suspense>
      )}
      {status === 'error' && <Failure {...{ card, facts, remedies }} toolId={block.tool_id} />}
      {status === 'waiting' && <p className="text-13 text-ink-2">{t('artifact.waiting')}</p>}
      {status !== 'error' && status !== 'waiting' && (
        <section className="rounded-card border border-line bg-surface p-3">
          <ToolBody {...{ block, card, missing, facts, status }} isOpened />
        </section>
      )}
      {card && !block.result_ref && facts.result !== null && facts.result !== undefined && (
        <section className="grid gap-2">
          <h3 className="text-13 font-medium">{t('artifact.result')}</h3>
          {block.result !== '' && <Values toolId={block.tool_id} side="outputs" value={facts.result} />}
        </section>
      )}
    </div>
  )
}

/** Returns why the tool's own interface cannot be shown; undefined when it can. */
function useInterfaceTrouble(toolId: string): string | undefined {
  const { t } = useTranslation('streaming_blocks')
  const token = useToken()
  const { isError, data } = useTool(toolId)
  if (toolId === '') return t('artifact.id_missing')
  if (token === null) return t('artifact.unauthenticated')
  return isError && !data ? t('artifact.details_failed') : undefined
}
