import { useEffect, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/overlays/menu.tsx'

/** The available microphones, to switch to another one. */
export function DeviceMenu({ onChoose }: { onChoose: (deviceId: string) => void }) {
  const { t } = useTranslation('documents')
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([])
  useEffect(() => {
    const read = async () => {
      const all = await navigator.mediaDevices.enumerateDevices()
      setDevices(all.filter(({ kind }) => kind === 'audioinput'))
    }
    void read()
  }, [])
  if (devices.length < 2) return null
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <Button variant="ghost" size="sm">
          {t('recorder.change')}
        </Button>
      }
      entries={devices.map(({ deviceId, label }) => ({
        key: deviceId,
        label: label || t('recorder.microphone'),
        onSelect: () => onChoose(deviceId),
      }))}
    />
  )
}
