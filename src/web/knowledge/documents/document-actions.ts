import {
  cancelDocument,
  changeDocument,
  type Document,
  type DocumentPage,
  deleteDocument,
  type Pipeline,
  readDocumentContent,
  reprocessDocument,
  retryDocument,
} from '#shared/knowledge/documents/documents.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { call, openRoute } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Concurrent deletions and reprocessing requests. */
const AT_ONCE = 4

type Named = Pick<Document, 'id' | 'name'>

/** Stars a document or removes the star; shown immediately, and reverted if the server refuses. */
export async function setStarred(t: TFunction, { id }: Named, is_starred: boolean): Promise<void> {
  showChanged(id, { is_starred })
  try {
    await call(changeDocument, { params: { documentId: id }, body: { is_starred } })
  } catch (error) {
    showChanged(id, { is_starred: !is_starred })
    void toast.error(errorText(t, error))
  }
  await readAgain()
}

/** Saves the original file, or that of a version. */
export async function download(
  t: TFunction,
  { id, name, version }: Named & Partial<Pick<Document, 'version'>>,
): Promise<void> {
  try {
    const query = { original: 'true' as const, version }
    const answer = await openRoute(readDocumentContent, { params: { documentId: id }, query })
    saveFile(await answer.blob(), name)
    void toast.success(t('documents:downloaded', { name }))
  } catch {
    void toast.error(t('documents:download_failed', { name }))
  }
}

/** Retries a failed document from the failed phase. */
export async function retry(t: TFunction, { id }: Named): Promise<void> {
  await change(t, call(retryDocument, { params: { documentId: id } }))
}

/** Stops the processing of a document. */
export async function cancel(t: TFunction, { id }: Named): Promise<void> {
  await change(t, call(cancelDocument, { params: { documentId: id } }))
}

/**
 * Deletes documents; with a workspace, only removes them from it. Returns the ids of those that are gone. `onDone` receives
 * the number of requests so far.
 */
export async function remove(
  ids: readonly string[],
  workspaceId: string | null,
  onDone: (count: number) => void = () => undefined,
): Promise<Set<string>> {
  const query = workspaceId ? { workspace_id: workspaceId } : {}
  const gone = await each(ids, (id) => call(deleteDocument, { params: { documentId: id }, query }), onDone)
  await Promise.all([readAgain(), queryClient.invalidateQueries({ queryKey: ['workspaces'] })])
  return gone
}

/** Reprocesses documents with a pipeline. Returns their number, without those already being processed. */
export async function readAnew(ids: readonly string[], pipeline: Pipeline): Promise<number> {
  const begun = await each(ids, (id) =>
    call(reprocessDocument, { params: { documentId: id }, body: { pipeline } }),
  )
  await readAgain()
  return begun.size
}

/** Handles each item, a few concurrently. Returns those that succeeded. */
async function each(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  onDone: (count: number) => void = () => undefined,
): Promise<Set<string>> {
  const succeeded = new Set<string>()
  const left = [...ids]
  let done = 0
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const isDone = await act(id).then(
        () => true,
        () => false,
      )
      if (isDone) succeeded.add(id)
      onDone(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return succeeded
}

async function change(t: TFunction, asked: Promise<Document>): Promise<void> {
  try {
    const document = await asked
    showChanged(document.id, document)
  } catch (error) {
    void toast.error(errorText(t, error))
  }
  await readAgain()
}

/** Updates a document in every list. */
function showChanged(id: string, patch: Partial<Document>): void {
  queryClient.setQueriesData<DocumentPage>(
    { queryKey: ['documents', 'page'] },
    (page) =>
      page && { ...page, items: page.items.map((item) => (item.id === id ? { ...item, ...patch } : item)) },
  )
}

function readAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['documents'] })
}
