import { startThreads } from './threads.ts'

/** Loads the PDF viewer; its workers start while its code is loading. */
export function loadPdfView() {
  if (typeof Worker !== 'undefined') startThreads()
  return import('./view.tsx')
}
