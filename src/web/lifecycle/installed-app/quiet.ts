import { hasUnsaved } from '../../platform/lib/early/reload-once.ts'
import { isReplying } from '../../platform/lib/kept/replying.ts'
import { useUploadState } from '../../platform/lib/uploads/upload-state.ts'

/** Time without input after which a visible page may reload. */
const REST_MS = 60_000

/**
 * Watches whether a page may reload without a loss: nothing streams, uploads or is recorded, no dialog and no temporary chat is open,
 * no typed text is unsent, and the person is away or has rested.
 */
export function createQuiet() {
  let touchedAt = Date.now()
  const typed = new Set<HTMLElement>()
  const touch = (event: Event) => {
    touchedAt = Date.now()
    if (event.type === 'input' && event.target instanceof HTMLElement) typed.add(event.target)
  }
  const inputs = ['input', 'keydown', 'pointerdown', 'wheel'] as const
  for (const name of inputs) addEventListener(name, touch, { capture: true, passive: true })
  const hasUnsentText = () => {
    for (const field of typed) if (!field.isConnected) typed.delete(field)
    const drafts = document.querySelectorAll<HTMLElement>('[data-composer] textarea')
    return [...typed, ...drafts].some((field) => textIn(field).trim() !== '')
  }
  return {
    isQuiet: () =>
      !isBusy() &&
      !hasUnsentText() &&
      (document.visibilityState === 'hidden' || Date.now() - touchedAt > REST_MS),
    stop: () => {
      for (const name of inputs) removeEventListener(name, touch, { capture: true })
    },
  }
}

const dialog = '[role="dialog"], [role="alertdialog"]'

function isBusy(): boolean {
  const { isShown, chats } = useUploadState.getState()
  // The list of uploads stays on screen until the person closes it.
  const isUploading = isShown || Object.keys(chats).length > 0
  return isReplying() || isUploading || hasUnsaved() || document.querySelector(dialog) !== null
}

function textIn(field: HTMLElement): string {
  if (field instanceof HTMLTextAreaElement) return field.value
  if (field instanceof HTMLInputElement) return field.type === 'search' ? '' : field.value
  return field.isContentEditable ? (field.textContent ?? '') : ''
}
