import {
  exportPrompts,
  importPrompts,
  MAX_FILE_BYTES,
  PromptFile,
} from '#shared/chat/prompts/prompt-transfer.ts'
import {
  createPrompt,
  deletePrompt,
  duplicatePrompt,
  type NewPrompt,
  type Prompt,
  type PromptChanges,
  updatePrompt,
} from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, translate } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { keyOfOne, promptsKey } from './use-prompts.ts'

/** Creates a prompt. @throws what the call throws */
export async function create(body: NewPrompt): Promise<Prompt> {
  return noteSaved(await call(createPrompt, { body }))
}

/** Changes a prompt. @throws what the call throws */
export async function update(promptId: string, body: PromptChanges): Promise<Prompt> {
  return noteSaved(await call(updatePrompt, { params: { promptId }, body }))
}

/** Creates an own copy. @throws what the call throws */
export async function duplicate(promptId: string): Promise<Prompt> {
  return noteSaved(await call(duplicatePrompt, { params: { promptId } }))
}

/** Deletes a prompt. @throws what the call throws */
export async function remove(promptId: string): Promise<void> {
  await call(deletePrompt, { params: { promptId } })
  queryClient.removeQueries({ queryKey: keyOfOne(promptId) })
  await refetchLists()
}

/** Shows a saved prompt everywhere. */
export function noteSaved(prompt: Prompt): Prompt {
  queryClient.setQueryData(keyOfOne(prompt.id), prompt)
  void refetchLists()
  void queryClient.invalidateQueries({ queryKey: [...promptsKey, 'versions', prompt.id] })
  return prompt
}

/** Refetches every list of prompts. */
function refetchLists(): Promise<unknown> {
  const lists = ['list', 'found'].map((kind) => ({ queryKey: [...promptsKey, kind] }))
  return Promise.all(lists.map((one) => queryClient.invalidateQueries(one)))
}

/** Saves prompts as one file: these, or all own ones. Errors are shown. */
export async function exportToFile(t: TFunction, ids?: string[]): Promise<void> {
  try {
    const file = await call(exportPrompts, { body: ids ? { ids } : {} })
    const [only, second] = file.prompts
    const name = only && !second ? only.command : 'prompts'
    saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${name}.atrium.json`)
  } catch (error) {
    void toast.error(errorText(t, error))
  }
}

/** Imports a file of prompts. Returns what was done, or why nothing was stored. */
export async function importFile(t: TFunction, file: File): Promise<{ done: string } | { trouble: string }> {
  const body = await readFile(file)
  if (!body) return { trouble: translate('prompts:transfer.no_file', { name: file.name }) }
  try {
    const { count, renamed, without } = await call(importPrompts, { body })
    await refetchLists()
    const parts = [
      translate('prompts:transfer.imported', { count }),
      ...(renamed > 0 ? [translate('prompts:transfer.renamed', { count: renamed })] : []),
      ...(without > 0 ? [translate('prompts:transfer.without', { count: without })] : []),
    ]
    return { done: parts.join(' ') }
  } catch (error) {
    return { trouble: errorText(t, error) }
  }
}

async function readFile(file: File): Promise<PromptFile | null> {
  if (file.size > MAX_FILE_BYTES) return null
  try {
    return PromptFile.safeParse(JSON.parse(await file.text())).data ?? null
  } catch {
    return null
  }
}
