import type { TFunction } from 'i18next'
import { createAssistant } from '../../../chat/assistants/assistants.ts'
import { giveDraft } from '../../../chat/composer/composer.tsx'
import { messageStore, sendMessage } from '../../../chat/messages/messages.tsx'
import { addFiles, useUploads } from '../../../knowledge/uploads/uploads.ts'
import { currentLanguage } from '../../../platform/i18n/i18n.ts'
import { useUploadState } from '../../../platform/lib/uploads/upload-state.ts'
import { startChat } from '../../../runs/sessions/sessions.ts'
import { whenOnPage } from './on-page.ts'
import { drawSampleChart } from './sample-picture.ts'
import type { Action } from './tours.ts'

/** The tool of the last message of the first conversation. */
const WEB_SEARCH = 'web_search'

export type ActionContext = {
  t: TFunction
  goTo: (path: string) => Promise<void>
}

/** Performs a step's action; it really sends its messages. @throws if it fails */
export async function act(action: Action, context: ActionContext): Promise<void> {
  if (typeof action === 'object') return press(action.press)
  await actions[action](context)
}

const actions: Record<Exclude<Action, object>, (context: ActionContext) => unknown> = {
  createSession: async ({ goTo }) => goTo(`/chat/${await startChat()}`),
  sendMessage: (context) => send(context, 'message'),
  uploadPicture,
  sendPictureQuestion: async (context) => {
    await uploaded(chatOnScreen())
    send(context, 'picture_message')
  },
  sendWebSearch: (context) => send(context, 'web_message', WEB_SEARCH),
  createDraftAssistant: async ({ t, goTo }) => {
    const name = t('onboarding:tours.assistants.draft_name')
    const draft = await createAssistant({ name, status: 'draft' })
    await goTo(`/assistant/${draft.id}/edit/prompts`)
  },
  openAdvanced,
}

/** While a reply is being written, the message is queued like any other. */
function send({ t, goTo }: ActionContext, message: string, toolChoice: string | null = null): void {
  const sessionId = chatOnScreen()
  const text = t(`onboarding:tours.firstConversation.${message}`)
  const isTaken = sendMessage({
    ...{ sessionId, text, toolChoice, t },
    files: useUploadState.getState().files[sessionId ?? ''] ?? [],
    onRefused: (refused) => giveDraft(sessionId, refused),
    onNavigate: (path) => void goTo(path),
  })
  if (!isTaken) throw new Error('The message was not accepted.')
  // Arrived files are part of the message.
  useUploadState.setState(({ sends }) => ({ sends: sends + 1 }))
}

async function uploadPicture({ t }: ActionContext): Promise<void> {
  const sessionId = chatOnScreen()
  const words = (key: string) => t(`onboarding:tours.firstConversation.${key}`)
  const file = await drawSampleChart(words('chart_title'), words('chart_file'), currentLanguage())
  addFiles([{ file, path: '' }], { sessionId })
}

/** Waits until every file of a chat has arrived. @throws if one fails */
async function uploaded(sessionId: string): Promise<void> {
  const stateNow = () => useUploadState.getState().chats[sessionId]
  while (stateNow() === 'sending')
    await new Promise<void>((resolve) => {
      const stop = useUploads.subscribe(() => {
        stop()
        resolve()
      })
    })
  if (stateNow() === 'failed') throw new Error('The picture did not arrive.')
}

async function press(selector: string): Promise<void> {
  const control = await whenOnPage(selector)
  control?.click()
}

async function openAdvanced(): Promise<void> {
  const toggle = (await whenOnPage('[data-tour="advanced"]'))?.querySelector('input')
  if (toggle && !toggle.checked) toggle.click()
}

function chatOnScreen(): string {
  const { chatSessionId } = messageStore.getState()
  if (chatSessionId === null) throw new Error('No chat is on screen.')
  return chatSessionId
}
