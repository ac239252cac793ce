import { Download, Maximize2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CodeBlock, TableBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { ExportMenu } from './files/export-menu.tsx'
import { saveCode } from './files/save-block.ts'
import { SheetButton } from './sheets/sheet-button.tsx'

export type BlockActionsProps = {
  block: CodeBlock | TableBlock
  /** Title shown above the block in full window. */
  title: string
  read: () => string
  /** The whole block, rendered when it is opened in full window. */
  children: () => ReactNode
}

/** Saves a block as a file, and opens it in full window. */
export default function BlockExtras({ block, title, children }: BlockActionsProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isLarge, setLarge] = useState(false)
  return (
    <>
      {block.type === 'table' ? (
        <>
          <SheetButton block={block} />
          <ExportMenu block={block} />
        </>
      ) : (
        <IconButton name={t('markdown.save_code')} size="sm" onClick={() => saveCode(block)}>
          <Download aria-hidden className="icon" />
        </IconButton>
      )}
      <IconButton name={t(`markdown.enlarge_${block.type}`)} size="sm" onClick={() => setLarge(true)}>
        <Maximize2 aria-hidden className="icon" />
      </IconButton>
      <Dialog open={isLarge} onOpenChange={setLarge} title={title} size="full">
        <div className="md mt-2">{isLarge && children()}</div>
      </Dialog>
    </>
  )
}
