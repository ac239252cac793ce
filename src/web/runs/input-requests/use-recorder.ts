import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Returns whether this browser can record, which requires https or this machine. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && navigator.mediaDevices?.getUserMedia !== undefined
}

/** Records from the microphone to a file. */
export function useRecorder(onRecorded: (file: File) => void) {
  const { t } = useTranslation('streaming_blocks')
  const recorder = useRef<MediaRecorder | null>(null)
  const [isRecording, setRecording] = useState(false)
  useEffect(() => () => recorder.current?.stop(), [])
  const start = async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const taken: Blob[] = []
      const made = new MediaRecorder(stream)
      made.ondataavailable = ({ data }) => taken.push(data)
      made.onstop = () => {
        for (const track of stream.getTracks()) track.stop()
        setRecording(false)
        recorder.current = null
        const type = made.mimeType.split(';')[0] ?? 'audio/webm'
        const name = `${t('input.recording')}.${type.split('/')[1] ?? 'webm'}`
        if (taken.length > 0) onRecorded(new File(taken, name, { type }))
      }
      recorder.current = made
      made.start()
      setRecording(true)
    } catch {
      toast.error(t('input.no_microphone'))
    }
  }
  return { isRecording, toggle: () => (recorder.current ? recorder.current.stop() : void start()) }
}
