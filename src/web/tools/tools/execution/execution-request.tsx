import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Markdown } from '../../../platform/markdown/markdown.tsx'
import { AskFrame, RequestForm, requestWords } from '../../../runs/input-requests/input-requests.tsx'
import { refreshExecution } from '../card/use-execution.ts'

/** Input request of a standalone execution, answered in place. */
export default function ExecutionRequest({ id, request }: { id: string; request: InputRequiredBlock }) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  return (
    <RequestForm
      key={request.id}
      sessionId={null}
      request={request}
      onSettled={() => refreshExecution(id)}
      frame={(state, content) => (
        <AskFrame request={request} state={state}>
          <Markdown text={requestWords(request, t)} className="px-4 pt-3.5 text-14" />
          {content}
        </AskFrame>
      )}
    />
  )
}
