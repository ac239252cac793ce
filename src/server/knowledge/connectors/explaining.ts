import { AppError } from '#shared/platform/errors.ts'
import { CursorExpired, ItemRefused, type OpenedSource, SignedOut, SourceBusy } from './define-connector.ts'

type Start<T> = (signal: AbortSignal) => {
  opened: Promise<OpenedSource>
  use: (source: OpenedSource) => Promise<T>
}

/** Uses a source while a person waits, for at most `ms`. @throws AppError `unavailable`, `not_found`, `not_available` for what the source refuses */
export async function explaining<T>(ms: number, start: Start<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  let source: OpenedSource | undefined
  try {
    const { opened, use } = start(signal)
    source = await opened
    return await use(source)
  } catch (error) {
    if (error instanceof CursorExpired) throw new AppError('unavailable', 'Its list changed. Try again.')
    if (error instanceof ItemRefused) throw new AppError('not_found', error.message)
    if (error instanceof SourceBusy) throw new AppError('unavailable', error.message)
    if (error instanceof SignedOut) throw new AppError('not_available', error.message)
    if (signal.aborted) throw new AppError('unavailable', 'The source did not answer in time.')
    throw error
  } finally {
    await source?.close?.().catch(() => undefined)
  }
}
