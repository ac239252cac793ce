import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { AskFrame, RequestForm, requestWords } from '../../input-requests/input-requests.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { refreshExecution } from '../card/use-execution.ts'

/** What an execution beside the chats waits for a person with, answered in its place. */
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
