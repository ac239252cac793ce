import { Download, FolderInput, Trash2, Workflow, X } from 'lucide-react'
import { Pipeline } from '#shared/knowledge/documents/documents.ts'
import { addToWorkspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useWorkspaces } from '../../workspaces/workspaces.ts'
import { download, readAnew } from '../document-actions.ts'
import { type Selection, sizeOf } from './selection.ts'

/** Maximum documents per request to a workspace. */
const MAX_PER_REQUEST = 200

type Props = {
  selection: Selection
  total: number
  isReadingAll: boolean
  onAll: () => void
  onDelete: () => void
  onClear: () => void
}

/** Actions on the selected documents, floating over the list. */
export function SelectionBar({ selection, total, isReadingAll, onAll, onDelete, onClear }: Props) {
  const { t } = useTranslation('documents')
  const { items: workspaces } = useWorkspaces()
  const chosen = [...selection.chosen.values()]
  const count = chosen.length
  const addTo = (workspaceId: string, name: string) =>
    putInto(workspaceId, [...selection.chosen.keys()]).then(
      () => toast.success(t('selection.added', { count, name })),
      (error) => toast.error(errorText(t, error)),
    )
  return (
    <div role="toolbar" aria-label={t('selection.label')} className="library-selection">
      <span role="status" className="num text-13 font-medium whitespace-nowrap">
        {t('selection.count', { count, shown: formatNumber(count) })}
      </span>
      <span className="num text-13 text-ink-3 max-md:hidden">{sizeText(t, sizeOf(selection))}</span>
      {count < total && (
        <Button variant="link" className="max-md:hidden" busy={isReadingAll} onClick={onAll}>
          {t('selection.all', { count: total, shown: formatNumber(total) })}
        </Button>
      )}
      <span className="flex-1" />
      <Menu
        side="top"
        trigger={
          <Button variant="ghost" icon={<FolderInput aria-hidden className="icon" />}>
            <span className="max-md:sr-only">{t('selection.add')}</span>
          </Button>
        }
        entries={workspaces.map(({ id, name }) => ({
          key: id,
          label: name,
          onSelect: () => void addTo(id, name),
        }))}
      />
      <Menu
        side="top"
        trigger={
          <Button variant="ghost" icon={<Workflow aria-hidden className="icon" />}>
            <span className="max-md:sr-only">{t('selection.read_again')}</span>
          </Button>
        }
        entries={Pipeline.options.map((pipeline) => ({
          key: pipeline,
          label: t(`pipeline.${pipeline}`),
          onSelect: () => void processAgain(pipeline),
        }))}
      />
      <Button
        variant="ghost"
        icon={<Download aria-hidden className="icon" />}
        onClick={() => void downloadEach()}
      >
        <span className="max-md:sr-only">{t('card.download')}</span>
      </Button>
      <Button variant="danger-ghost" icon={<Trash2 aria-hidden className="icon" />} onClick={onDelete}>
        <span className="max-md:sr-only">{t('card.delete')}</span>
      </Button>
      <IconButton name={t('selection.clear')} onClick={onClear}>
        <X aria-hidden className="icon" />
      </IconButton>
    </div>
  )

  async function processAgain(pipeline: Pipeline) {
    const begun = await readAnew([...selection.chosen.keys()], pipeline)
    const said = [
      ...(begun > 0 ? [t('selection.reading', { count: begun })] : []),
      ...(begun < count ? [t('selection.not_reading', { count: count - begun })] : []),
    ].join(' ')
    void (begun < count ? toast.error(said) : toast.success(said))
  }

  async function downloadEach() {
    for (const document of chosen) await download(t, document)
  }
}

async function putInto(workspaceId: string, ids: string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_PER_REQUEST) {
    const document_ids = ids.slice(start, start + MAX_PER_REQUEST)
    await call(addToWorkspace, { params: { workspaceId }, body: { document_ids } })
  }
  for (const queryKey of [['documents'], ['workspaces']]) await queryClient.invalidateQueries({ queryKey })
}
