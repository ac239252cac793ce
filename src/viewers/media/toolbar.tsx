import { Captions, Crosshair, Pause, Play, RotateCcw } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { sizeText } from '../../web/platform/ui/files/file-size.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { clockOf } from './playback.ts'
import type { Player } from './use-player.ts'

export type Subtitles = { isOn: boolean; toggle: () => void }

type ToolbarProps = {
  document: Document
  player: Player
  subtitles: Subtitles
  onFocus?: (() => void) | undefined
}

/** Shows the file and the main controls while the transcript is read. */
export function Toolbar({ document: { name, size }, player, subtitles, onFocus }: ToolbarProps) {
  const { t } = useTranslation('documents')
  return (
    <div role="toolbar" aria-label={t('viewer.recording')} className="media-toolbar">
      <span className="media-name">{name}</span>
      <span className="media-facts num">
        {sizeText(t, size)} · {clockOf(player.duration)}
      </span>
      <span className="flex-1" />
      <PlayButton player={player} />
      <IconButton name={t('viewer.restart')} onClick={player.restart}>
        <RotateCcw aria-hidden className="icon" />
      </IconButton>
      <IconButton
        name={t('viewer.subtitles')}
        aria-pressed={subtitles.isOn}
        on={subtitles.isOn}
        onClick={subtitles.toggle}
      >
        <Captions aria-hidden className="icon" />
      </IconButton>
      <IconButton name={t('viewer.go_to_passage')} disabled={!onFocus} onClick={onFocus}>
        <Crosshair aria-hidden className="icon" />
      </IconButton>
    </div>
  )
}

export function PlayButton({ player: { isPlaying, toggle } }: { player: Player }) {
  const { t } = useTranslation('documents')
  const Icon = isPlaying ? Pause : Play
  return (
    <IconButton name={t(isPlaying ? 'viewer.pause' : 'viewer.play')} onClick={toggle}>
      <Icon aria-hidden className="icon" />
    </IconButton>
  )
}
