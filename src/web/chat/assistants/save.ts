import type { InfiniteData } from '@tanstack/react-query'
import {
  type Assistant,
  type AssistantChanges,
  createAssistant,
  deleteAssistant,
  getAssistant,
  type ListedAssistant,
  type NewAssistant,
  updateAssistant,
} from '#shared/chat/assistants/assistants.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { keyOfOne, listKey } from './use-assistants.ts'

type Pages = InfiniteData<ListedAssistant[]>

/** Creates an assistant, shows a message, and puts it at the top of the list. @throws what the call throws, which is shown too */
export async function create(body: NewAssistant): Promise<Assistant> {
  const made = await saying('create', () => call(createAssistant, { body }))
  noteMade(made)
  return made
}

/** Puts a new assistant at the top of the list. */
export function noteMade(made: Assistant): void {
  note(made)
  changePages((pages) => pages.map((page, at) => (at === 0 ? [made, ...page] : page)))
}

/** Changes an assistant and shows a message. @throws what the call throws, which is shown too */
export async function update(assistantId: string, body: AssistantChanges): Promise<Assistant> {
  const saved = await saying('update', () => call(updateAssistant, { params: { assistantId }, body }))
  noteSaved(saved)
  return saved
}

/** Updates all caches of a saved assistant. */
export function noteSaved(saved: Assistant): void {
  note(saved)
  changePages((pages) => pages.map((page) => page.map((one) => (one.id === saved.id ? saved : one))))
}

/** Deletes an assistant and shows a message. @throws what the call throws, which is shown too */
export async function remove(assistantId: string): Promise<void> {
  await saying('delete', () => call(deleteAssistant, { params: { assistantId } }))
  changePages((pages) => pages.map((page) => page.filter(({ id }) => id !== assistantId)))
  queryClient.setQueryData(keyOfOne(assistantId), null)
}

/** Creates a draft with the content of another assistant. @throws what the calls throw, which is shown too */
export async function duplicate(assistantId: string): Promise<Assistant> {
  const { name, ...from } = await saying('load', () => call(getAssistant, { params: { assistantId } }))
  const { description, icon, agent_type, model_name, system_prompt } = from
  const { example_prompts, temperature, documents, workspaces, tools } = from
  return create({
    name: translate('assistant:copy_of', { name }).slice(0, 100),
    ...{ description, icon, agent_type, model_name, system_prompt },
    ...{ example_prompts, temperature, documents, workspaces, tools, status: 'draft' },
    copied_from: assistantId,
  })
}

const said = { load: null, create: 'created', update: 'updated', delete: 'deleted' } as const

async function saying<Result>(what: keyof typeof said, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act()
    const done = said[what]
    if (done) void toast.success(translate(`assistant:said.${done}`))
    return result
  } catch (error) {
    void toast.error(translate(`assistant:said.${what}_failed`))
    throw error
  }
}

function note(assistant: Assistant): void {
  queryClient.setQueryData(keyOfOne(assistant.id), assistant)
}

function changePages(change: (pages: ListedAssistant[][]) => ListedAssistant[][]): void {
  queryClient.setQueryData<Pages>(listKey, (data) => data && { ...data, pages: change(data.pages) })
}
