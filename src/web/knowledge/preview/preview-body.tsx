import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { MadeViewProps } from '../../../viewers/viewer.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Digitized } from './digitized.tsx'
import { StatusTrack } from './facts/status-track.tsx'
import { StillMissing, UnderWay } from './facts/under-way.tsx'
import { Original } from './original.tsx'
import type { Preview } from './use-preview.ts'

type PreviewBodyProps = Pick<MadeViewProps, 'linkTo'> & { document: Document; preview: Preview }

/** The document below its header: its progress, or its content. */
export function PreviewBody({ document, preview, linkTo }: PreviewBodyProps) {
  const { t } = useTranslation('documents')
  const { mode, shown, chunk, isChunkMissing, version, setMode } = preview
  // Content shown early stays mounted when the document is completed.
  return (
    <>
      {mode === null && <StatusTrack document={document} />}
      {mode === null && (shown ? <StillMissing document={document} /> : <UnderWay document={document} />)}
      {isChunkMissing && <Callout tone="warning" title={t('preview.chunk_missing')} className="m-3" />}
      {version !== document.version && (
        <Callout tone="accent" className="m-3">
          {t('preview.earlier_version', { version, newest: document.version })}
        </Callout>
      )}
      {shown === 'original' && (
        <Original
          document={document}
          chunk={chunk}
          version={version}
          linkTo={linkTo}
          onDigitized={() => setMode('digitized')}
        />
      )}
      {(shown === 'digitized' || shown === 'text') && (
        <Digitized document={document} mode={shown} chunk={chunk} />
      )}
    </>
  )
}
