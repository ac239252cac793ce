import { create } from 'zustand'

type ToastOptions = {
  /** Replaces the toast on screen with the same id immediately. The default id is the text. */
  id?: string
}

/** True since the first toast, which loads the library. */
export const useToastsWanted = create<{ isWanted: boolean }>(() => ({ isWanted: false }))

const SHORT_MS = 3000
const LONG_MS = 5000

/** Short messages top right, one at a time. Never the only copy of an error. */
export const toast = {
  success: (text: string, options?: ToastOptions) => show('success', text, SHORT_MS, options),
  info: (text: string, options?: ToastOptions) => show('info', text, SHORT_MS, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, SHORT_MS, options),
  error: (text: string, options?: ToastOptions) => show('error', text, LONG_MS, options),
}

/** Discards waiting toasts, for leaving the view they belong to. */
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
  // Messages before the container has loaded are not on screen, but wait under the same id.
  library.toast.dismiss(toastId)
  library.toast(text, look)
}
