import { loadTexts } from '../../../platform/i18n/i18n.ts'

let isLoaded = false

/** Preloads the request forms with their texts. */
export async function loadDock() {
  const [file] = await Promise.all([
    import('../../../runs/input-requests/input-requests.tsx'),
    loadTexts('tool_ui'),
  ])
  isLoaded = true
  return file
}

/** Returns whether the request forms can be shown immediately. */
export const isDockLoaded = () => isLoaded
