import { startThreads } from './threads.ts'

/** The viewer of PDF files; its threads start while its code comes. */
export function loadPdfView() {
  if (typeof Worker !== 'undefined') startThreads()
  return import('./view.tsx')
}
