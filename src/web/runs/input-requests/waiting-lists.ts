import type { InfiniteData } from '@tanstack/react-query'
import type { InboxPage, InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

type Asked = { sessionId: string | null; request: InputRequiredBlock }

/** Removes a request that no longer waits from every list and count. */
export function takeOut(asked: Asked): void {
  void queryClient.cancelQueries({ queryKey: ['input-requests'] })
  const isIt = ({ session_id, request }: InputRequest) =>
    session_id === asked.sessionId &&
    request.id === asked.request.id &&
    toolOf(request) === toolOf(asked.request)
  const without = (page: InboxPage): InboxPage => {
    const items = page.items.filter((item) => !isIt(item))
    return { ...page, items, total: page.total - (page.items.length - items.length) }
  }
  queryClient.setQueryData<InboxPage>(['input-requests', 'first'], (page) => page && without(page))
  queryClient.setQueriesData<InfiniteData<InboxPage>>(
    { queryKey: ['input-requests', 'waiting'] },
    (data) => data && { ...data, pages: data.pages.map(without) },
  )
}

/** Requests of calls without a chat share names, so the call distinguishes them. */
function toolOf(request: InputRequest['request']): string | undefined {
  return request.type === 'input_required' ? request.tool?.tool_execution_id : undefined
}
