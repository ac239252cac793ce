import type { UserEvent } from '#shared/api/user-events/user-events.ts'
import { type ChatExportWish, type Export, exportChat, readExport } from '#shared/chat/exports/exports.ts'
import { currentLanguage, loadTexts, translate } from '../../platform/i18n/i18n.ts'
import { call, openRoute } from '../../platform/lib/api/call.ts'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Exports for which this tab waits. */
const awaited = new Set<string>()

type Wish = Pick<ChatExportWish, 'format' | 'what' | 'footnotes' | 'quotes' | 'steps'>

/** Exports a chat. A short one is saved immediately; a long one when it is ready, and is listed under the person's data. */
export async function takeChatOut(sessionId: string, wish: Wish): Promise<Export> {
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const body = { ...wish, language: currentLanguage(), time_zone }
  const made = await call(exportChat, { params: { sessionId }, body })
  if (made.state === 'ready') await saveExport(made)
  if (made.state === 'making') awaited.add(made.id)
  return made
}

/** Saves the file of an export. */
export async function saveExport({ id, name }: Pick<Export, 'id' | 'name'>): Promise<void> {
  const answer = await openRoute(readExport, { params: { exportId: id } })
  saveFile(await answer.blob(), name)
}

/** Handles the progress of an export, and saves one for which this tab waits. */
export async function noteExport(event: Extract<UserEvent, { event: 'export_changed' }>): Promise<void> {
  const { export_id: id, name, state } = event
  if (state === 'making' || !awaited.delete(id)) return
  await loadTexts('exports')
  try {
    if (state === 'failed') throw new Error('It failed.')
    await saveExport({ id, name })
    void toast.success(translate('exports:chat.ready', { name }))
  } catch {
    void toast.error(translate('exports:chat.failed', { name }))
  }
}
