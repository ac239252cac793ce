import { create } from 'zustand'

type ToastOptions = {
  /** A toast with the id of the one on screen takes its place at once. Without it, the text is the id. */
  id?: string
}

/** Whether anything was ever said: the library loads with the first toast. */
export const useToastsWanted = create<{ isWanted: boolean }>(() => ({ isWanted: false }))

const SHORT_MS = 3000
const LONG_MS = 5000

/** Short words top right, one at a time. Never the only copy of an error. */
export const toast = {
  success: (text: string, options?: ToastOptions) => show('success', text, SHORT_MS, options),
  info: (text: string, options?: ToastOptions) => show('info', text, SHORT_MS, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, SHORT_MS, options),
  error: (text: string, options?: ToastOptions) => show('error', text, LONG_MS, options),
}

/** Forgets the toasts that still wait; for when the view they belong to is left. */
export async function forgetWaitingToasts(): Promise<void> {
  if (!useToastsWanted.getState().isWanted) return
  const library = await import('react-toastify/unstyled')
  library.toast.clearWaitingQueue()
}

async function show(
  type: 'success' | 'info' | 'warning' | 'error',
  text: string,
  autoClose: number,
  options: ToastOptions = {},
) {
  useToastsWanted.setState({ isWanted: true })
  const library = await import('react-toastify/unstyled').catch(() => null)
  if (!library) return
  const toastId = options.id ?? text
  const look = { type, autoClose, toastId, role: type === 'error' ? 'alert' : 'status' }
  if (library.toast.isActive(toastId))
    return library.toast.update(toastId, { ...look, render: text, delay: 0 })
  // What was said before the container has come is not on screen, but waits under the same id.
  library.toast.dismiss(toastId)
  library.toast(text, look)
}
