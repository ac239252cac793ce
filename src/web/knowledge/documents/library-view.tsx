import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { titleOf, useSessionDetails } from '../../runs/sessions/sessions.ts'
import { addFiles, askForFiles, type FoundFile, UploadsLeft } from '../uploads/uploads.ts'
import { useWorkspace } from '../workspaces/workspaces.ts'
import { ContentHits } from './contents/content-hits.tsx'
import { DeleteDocuments } from './library/delete-documents.tsx'
import { DetailsDialog } from './library/details-dialog.tsx'
import { DocumentList } from './library/document-list.tsx'
import { DropZone } from './library/drop-zone.tsx'
import { FilterBar } from './library/filters/filter-bar.tsx'
import { isOnlyWords, useLibraryFilter } from './library/library-filter.ts'
import {
  LibraryEmpty,
  LibrarySkeleton,
  LoadFailed,
  MissingPrograms,
  NoMatch,
  NoWorkspace,
  StorageFull,
} from './library/library-states.tsx'
import { menuEntries } from './library/menu-entries.tsx'
import { SearchField } from './library/search-field.tsx'
import { choose, extend, nothingChosen, toggle, without } from './library/selection.ts'
import { SelectionBar } from './library/selection-bar.tsx'
import { SortHead } from './library/sort-head.tsx'
import { UploadButton } from './library/upload-button.tsx'
import {
  readAll,
  type Scope,
  type Span,
  useLibrary,
  useLibraryState,
  useMonths,
} from './library/use-library.ts'
import { usePipeline } from './library/use-pipeline.ts'
import { useWarmPreview } from './use-warm-preview.ts'
import './library/library.css'

/** The document library: everything, or a workspace. */
export function LibraryView() {
  const { workspaceId = null } = useParams({ strict: false }) as { workspaceId?: string }
  return <Library key={workspaceId} workspaceId={workspaceId} />
}

function Library({ workspaceId }: { workspaceId: string | null }) {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const { filter, query, change, isFiltered } = useLibraryFilter()
  const scope: Scope = { workspaceId, sessionId: filter.chat }
  const [span, setSpan] = useState<Span>({ first: 0, last: 0 })
  const library = useLibrary(scope, query, span)
  useWarmPreview(library.at(span.first))
  // Content above the list appears together with it, so that nothing moves.
  const isPending = useLibraryState().isPending || library.isPending
  const months = useMonths(scope, query)
  const { data: workspace } = useWorkspace(workspaceId)
  const { data: chat } = useSessionDetails(filter.chat)
  const [selection, setSelection] = useState(nothingChosen)
  const [details, setDetails] = useState<Document | null>(null)
  const [deleting, setDeleting] = useState<readonly string[]>([])
  const all = useChooseAll(() =>
    readAll(scope, query, new AbortController().signal).then(choose).then(setSelection),
  )
  const upload = useUpload(workspaceId, filter.chat)
  const mayUpload = useIsOpen('uploads')
  const name = workspace && 'name' in workspace ? workspace.name : null
  if (workspace && 'notFound' in workspace)
    return (
      <View title={t('title')}>
        <NoWorkspace onLeave={() => void navigate({ to: '/documents' })} />
      </View>
    )
  const home = workspaceId ? `/documents/workspace/${workspaceId}` : '/documents'
  const noMatch = <NoMatch onClear={() => void navigate({ to: '.', search: {} })} />
  const propsOf = (document: Document, place: number) => {
    const address = `${home}/preview/${document.id}`
    return {
      ...{ document, address, query: filter.q },
      isChosen: selection.chosen.has(document.id),
      onChoose: (isRange: boolean) =>
        setSelection((now) => (isRange ? extend(now, place, library.at) : toggle(now, document, place))),
      onTag: (tag: string) => change({ tag }),
      entries: menuEntries(t, document, {
        inWorkspace: workspaceId !== null,
        onOpen: () => void navigate({ to: address }),
        onDetails: () => setDetails(document),
        onDelete: () => setDeleting([document.id]),
      }),
    }
  }
  const isEmpty = library.total === 0 && !isPending && !library.error
  return (
    <View
      title={name ?? t('title')}
      badges={!isPending && <span className="num text-13 text-ink-3">{formatNumber(library.total)}</span>}
      actions={
        <>
          <SearchField
            query={filter.q}
            name={name}
            onChange={(q) => change({ q })}
            className="library-search max-md:hidden"
          />
          {mayUpload && <UploadButton {...upload} />}
        </>
      }
    >
      <DropZone place={name} onFiles={mayUpload ? upload.onFiles : null}>
        <div className="library-top">
          <SearchField query={filter.q} name={name} onChange={(q) => change({ q })} className="md:hidden" />
          <FilterBar
            filter={filter}
            change={change}
            workspaceId={workspaceId}
            chatTitle={chat ? titleOf(chat, t) : null}
          />
          <StorageFull />
          {!isPending && <MissingPrograms />}
          <UploadsLeft />
          {library.error && <LoadFailed error={library.error} onRetry={library.retry} />}
        </div>
        {isPending && !library.error && <LibrarySkeleton variant={filter.view} />}
        {!isPending && query.q && isOnlyWords(query) && (
          <ContentHits
            key={query.q}
            words={query.q}
            scope={scope}
            home={home}
            isAlone={isEmpty}
            noMatch={noMatch}
          />
        )}
        {isEmpty && isFiltered && !isOnlyWords(query) && noMatch}
        {isEmpty && !isFiltered && (
          <LibraryEmpty onFiles={upload.askFiles} onFolder={upload.askFolder} mayUpload={mayUpload} />
        )}
        {!isPending && library.total > 0 && (
          <DocumentList
            name={name ?? t('title')}
            variant={filter.view}
            total={library.total}
            isBusy={library.isChanging}
            at={library.at}
            propsOf={propsOf}
            onSpan={setSpan}
            months={months}
            head={
              filter.view === 'list' && (
                <SortHead
                  filter={filter}
                  change={change}
                  selection={selection}
                  total={library.total}
                  onAll={all.run}
                  onNone={() => setSelection(nothingChosen)}
                />
              )
            }
          />
        )}
        {selection.chosen.size > 0 && (
          <SelectionBar
            selection={selection}
            total={library.total}
            isReadingAll={all.isReading}
            onAll={all.run}
            onDelete={() => setDeleting([...selection.chosen.keys()])}
            onClear={() => setSelection(nothingChosen)}
          />
        )}
      </DropZone>
      <DetailsDialog
        document={details}
        onClose={() => setDetails(null)}
        onNarrow={(part) => {
          setDetails(null)
          change(part)
        }}
      />
      <DeleteDocuments
        ids={deleting}
        name={nameOf(deleting[0])}
        workspace={workspaceId && name ? { id: workspaceId, name } : null}
        onClose={() => setDeleting([])}
        onGone={(gone) => setSelection((now) => without(now, gone))}
      />
    </View>
  )

  function nameOf(id: string | undefined): string {
    if (id === undefined) return ''
    const known = selection.chosen.get(id)
    for (let place = span.first; !known && place <= span.last; place++)
      if (library.at(place)?.id === id) return library.at(place)?.name ?? ''
    return known?.name ?? ''
  }
}

function useChooseAll(readThem: () => Promise<void>) {
  const { t } = useTranslation('documents')
  const [isReading, setReading] = useState(false)
  const run = () => {
    setReading(true)
    readThem()
      .catch(() => toast.error(t('load_failed')))
      .finally(() => setReading(false))
  }
  return { isReading, run }
}

/** Returns how documents are uploaded into the current list. */
function useUpload(workspaceId: string | null, sessionId: string | null) {
  const { data } = useLibraryState()
  const [pipeline, setPipeline] = usePipeline()
  const limit = data?.max_upload ?? null
  const onFiles = useCallback(
    (files: FoundFile[]) => {
      const place = { ...(workspaceId && { workspaceId }), ...(sessionId && { sessionId }) }
      addFiles(files, { ...place, pipeline }, limit)
    },
    [workspaceId, sessionId, pipeline, limit],
  )
  return {
    ...{ onFiles, pipeline, setPipeline },
    askFiles: () => askForFiles(onFiles),
    askFolder: () => askForFiles(onFiles, { isFolder: true }),
  }
}
