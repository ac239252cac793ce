import { create } from 'zustand'

/** True since the first toast, which loads the library. */
export const useToastsWanted = create<{ isWanted: boolean }>(() => ({ isWanted: false }))

const SHORT_MS = 3000
const LONG_MS = 5000

/** Short messages top right: only the newest. Never the only copy of an error. */
export const toast = {
  success: (text: string) => show('success', text, SHORT_MS),
  info: (text: string) => show('info', text, SHORT_MS),
  warning: (text: string) => show('warning', text, SHORT_MS),
  error: (text: string) => show('error', text, LONG_MS),
}

/** Every message replaces the one on screen, so that none waits and covers something later. */
const ONLY = 'toast'

async function show(type: 'success' | 'info' | 'warning' | 'error', text: string, autoClose: number) {
  useToastsWanted.setState({ isWanted: true })
  const library = await import('react-toastify/unstyled').catch(() => null)
  if (!library) return
  const look = { type, autoClose, toastId: ONLY, role: type === 'error' ? 'alert' : 'status' }
  if (library.toast.isActive(ONLY)) return library.toast.update(ONLY, { ...look, render: text, delay: 0 })
  // Messages before the container has loaded are not on screen, but wait.
  library.toast.dismiss(ONLY)
  library.toast(text, look)
}
