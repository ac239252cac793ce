import { RotateCcw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { useMedia } from '../../../platform/lib/page-state.ts'
import { useUploadState } from '../../../platform/lib/uploads/upload-state.ts'
import { Recorder } from '../../../platform/recorder/recorder.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { FileTile, FillBar, PhaseBar } from '../../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { FilePicker } from '../../file-picks/file-picks.tsx'
import { AttachMenu } from '../../photos/photos.tsx'
import {
  addFiles,
  askForFiles,
  cancelFile,
  type FoundFile,
  hasFiles,
  isBeingRead,
  mayRetry,
  percentOf,
  readDropped,
  retryFile,
  type Upload,
  uploadText,
  useUploads,
} from '../../uploads/uploads.ts'
import { failureText, progressText, stateText } from '../document-words.ts'
import { useLibraryState } from '../library/use-library.ts'
import { phaseShare } from '../progress.ts'
import { DropOver } from './drop-over.tsx'
import { LibraryLine } from './library-line.tsx'
import { useReading } from './use-reading.ts'
import './chat-documents.css'

type ComposerFilesProps = {
  sessionId: string | null
  /** A temporary chat takes no files. */
  isTemporary?: boolean | undefined
}

/** The button that adds files to a chat, including pasted and dropped ones. Sources and uploads are shown above the text. */
export function ComposerFiles({ sessionId, isTemporary }: ComposerFilesProps) {
  const { t } = useTranslation('documents')
  const button = useRef<HTMLSpanElement>(null)
  const [place, setPlace] = useState<Element | null>(null)
  const { data } = useLibraryState()
  const limit = data?.max_upload ?? null
  const [mayUpload, mayRecord] = [useIsOpen('uploads'), useIsOpen('transcription')]
  const [isPicking, setPicking] = useState(false)
  const isTouch = useMedia('(pointer: coarse)')
  const add = (files: FoundFile[]) => {
    if (isTemporary) void toast.info(t('no_files_in_temporary'))
    else if (!mayUpload) void toast.info(t('common:closed.uploads'))
    else if (sessionId && files.length > 0) addFiles(files, { sessionId }, limit)
  }
  const isOver = useDrops(add)
  usePastes(button, add)
  useEffect(
    () => setPlace(button.current?.closest('[data-composer]')?.querySelector('[data-files]') ?? null),
    [],
  )
  return (
    <span ref={button} className="contents">
      {mayUpload && (
        <>
          <AttachMenu
            disabled={!sessionId}
            onAttach={() => askForFiles(add)}
            onPhoto={isTouch ? (file) => add([{ file, path: '' }]) : null}
            onPick={isTemporary ? null : () => setPicking(true)}
          />
          {sessionId && !isTemporary && (
            <FilePicker sessionId={sessionId} isOpen={isPicking} onOpen={setPicking} />
          )}
          {mayRecord && (
            <Recorder
              place={place}
              disabled={!sessionId}
              onSave={(file) => add([{ file, path: '' }])}
              onAttach={() => askForFiles(add)}
            />
          )}
        </>
      )}
      {sessionId &&
        place &&
        createPortal(
          <>
            <LibraryLine sessionId={sessionId} />
            <Files sessionId={sessionId} />
          </>,
          place,
        )}
      {isOver && mayUpload && <DropOver />}
    </span>
  )
}

/** Files added to the next message: how far they have arrived and are read. */
function Files({ sessionId }: { sessionId: string }) {
  const all = useUploads((state) => state.items)
  const items = all.filter(({ target }) => target.sessionId === sessionId)
  const failed = items.filter(({ state }) => state === 'failed')
  useReading(items)
  useLeavingWithMessage(items)
  if (items.length === 0) return null
  return (
    <>
      <ul className="chat-files">
        {items.map((item) => (
          <FileChip key={item.id} upload={item} />
        ))}
      </ul>
      {failed.length > 0 && <Alert failed={failed} />}
      <WaitingForFiles sessionId={sessionId} />
    </>
  )
}

/** Says what a message waits for. It can also be sent without the files that are not read yet. */
function WaitingForFiles({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const isWaiting = useUploadState(({ waiting }) => waiting === sessionId)
  const isReading = useUploadState(({ chats }) => chats[sessionId] === 'reading')
  if (!isWaiting) return null
  return (
    <p role="status" className="chat-waits">
      <span className="min-w-0 flex-[1_1_16rem]">{t(isReading ? 'chat.waits_reading' : 'chat.waits')}</span>
      {isReading && (
        <Button size="sm" onClick={() => useUploadState.setState({ waiting: null, leaving: sessionId })}>
          {t('chat.ask_without')}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={() => useUploadState.setState({ waiting: null })}>
        {t('common:actions.cancel')}
      </Button>
    </p>
  )
}

/** Completed uploads belong to the next message that is sent. */
function useLeavingWithMessage(items: Upload[]): void {
  const sends = useUploadState((state) => state.sends)
  const now = useRef(items)
  now.current = items
  // biome-ignore lint/correctness/useExhaustiveDependencies: only sending a message clears the files.
  useEffect(() => {
    for (const { id, state } of now.current) if (state === 'done') cancelFile(id)
  }, [sends])
}

function Alert({ failed }: { failed: Upload[] }) {
  const { t } = useTranslation('documents')
  const error = failed.find(({ error }) => isApiError(error, 402))?.error
  const again = failed.filter(mayRetry)
  return (
    <div role="alert" className="chat-alert">
      <p className="min-w-0 flex-1">
        <span className="font-medium">{error ? errorText(t, error) : t('chat.failed')}</span> {t('chat.kept')}
      </p>
      {again.length > 0 && (
        <button
          type="button"
          className="flex items-center gap-1.5 text-12 font-medium"
          onClick={() => again.map(({ id }) => retryFile(id))}
        >
          <RotateCcw aria-hidden className="icon-14" />
          {t('common:actions.retry')}
        </button>
      )}
    </div>
  )
}

function FileChip({ upload }: { upload: Upload }) {
  const { t } = useTranslation('documents')
  const { id, file, state, document } = upload
  const isMoving = state === 'sending' || state === 'lost'
  const name = file.name
  const isUnread = document?.status === 'failed'
  return (
    <li className="chat-file" data-state={isUnread ? 'failed' : state}>
      <FileTile extension={extensionOf(name)} size="lg" isChip />
      <span className="min-w-0 flex-1">
        <span className="chat-file-name">{name}</span>
        <span className="chat-file-note num">
          {document ? readingText(t, document) : uploadText(t, upload)}
        </span>
      </span>
      {mayRetry(upload) && (
        <IconButton name={t('upload.retry', { name })} size="xs" onClick={() => retryFile(id)}>
          <RotateCcw aria-hidden className="icon-14" />
        </IconButton>
      )}
      <IconButton
        name={t(state === 'done' || state === 'failed' ? 'chat.dismiss' : 'upload.cancel', { name })}
        size="xs"
        onClick={() => cancelFile(id)}
      >
        <X aria-hidden className="icon-14" />
      </IconButton>
      {isBeingRead(upload) && document && (
        <span className="chat-file-bar">
          <PhaseBar {...phaseShare(document)} />
        </span>
      )}
      {isMoving && (
        <span
          role="progressbar"
          aria-label={name}
          aria-valuenow={percentOf(upload)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="chat-file-bar"
        >
          <FillBar value={percentOf(upload)} />
        </span>
      )}
    </li>
  )
}

/** Returns how far a document is read, its size in pages once it is, or why it could not be read. */
function readingText(t: TFunction, document: Document): string {
  if (document.status === 'failed') return failureText(t, document)
  return [stateText(t, document), progressText(t, document)].filter((text) => text !== '').join(' · ')
}

/** Adds files dropped anywhere on the view to the chat. */
function useDrops(add: (files: FoundFile[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const act = useRef(add)
  act.current = add
  useEffect(() => {
    const view = document.getElementById('main')
    if (!view) return
    const over = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && view.contains(event.relatedTarget))) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      void readDropped(event.dataTransfer).then((files) => act.current(files))
    }
    const ended = new AbortController()
    const { signal } = ended
    view.addEventListener('dragover', over, { signal })
    view.addEventListener('dragleave', leave, { signal })
    view.addEventListener('drop', drop, { signal })
    return () => ended.abort()
  }, [])
  return isOver
}

/** Adds files pasted into the text to the chat. */
function usePastes(inside: React.RefObject<HTMLElement | null>, add: (files: FoundFile[]) => void): void {
  const act = useRef(add)
  act.current = add
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data, target } = event
      const composer = inside.current?.closest('[data-composer]')
      if (!data || !(target instanceof Node && composer?.contains(target))) return
      // A copied table brings a picture along with its text; the text is meant.
      if (data.files.length === 0 || data.types.includes('text/plain')) return
      event.preventDefault()
      act.current([...data.files].map((file) => ({ file, path: '' })))
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [inside])
}
