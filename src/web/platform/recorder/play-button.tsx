import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** Plays the recording before it is saved. */
export function PlayButton({ sound }: { sound: Blob }) {
  const { t } = useTranslation('documents')
  const [isPlaying, setPlaying] = useState(false)
  const audio = useRef<HTMLAudioElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(sound)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [sound])
  const Icon = isPlaying ? Pause : Play
  const toggle = () => (isPlaying ? audio.current?.pause() : void audio.current?.play())
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: there is no transcript of a new recording yet. */}
      <audio
        ref={audio}
        src={url ?? undefined}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      <IconButton
        name={t(isPlaying ? 'recorder.pause_listening' : 'recorder.listen')}
        size="sm"
        onClick={toggle}
      >
        <Icon aria-hidden className="icon" />
      </IconButton>
    </>
  )
}
