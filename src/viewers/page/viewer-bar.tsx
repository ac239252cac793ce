import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Switch } from '../../web/platform/ui/checkbox.tsx'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { stepZoom, type ZoomRange } from './zoom.ts'

/** Toolbar above a page or a picture. */
export function ViewerBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation('documents')
  return (
    <div role="toolbar" aria-label={t('viewer.bar')} className="viewer-bar">
      {children}
    </div>
  )
}

export const BarRule = () => <span aria-hidden className="viewer-rule" />

type ZoomButtonsProps = { zoom: number; range: ZoomRange; onZoom: (zoom: number) => void }

/** Zoom controls with the current zoom. */
export function ZoomButtons({ zoom, range, onZoom }: ZoomButtonsProps) {
  const { t } = useTranslation('documents')
  return (
    <>
      <IconButton
        size="sm"
        name={t('viewer.smaller')}
        keys="-"
        aria-disabled={zoom <= range.least}
        onClick={() => onZoom(stepZoom(zoom, -1, range))}
      >
        <Minus aria-hidden className="icon" />
      </IconButton>
      <output aria-label={t('viewer.zoom')} className="viewer-zoom num">
        {formatNumber(zoom, { style: 'percent' })}
      </output>
      <IconButton
        size="sm"
        name={t('viewer.larger')}
        keys="+"
        aria-disabled={zoom >= range.most}
        onClick={() => onZoom(stepZoom(zoom, 1, range))}
      >
        <Plus aria-hidden className="icon" />
      </IconButton>
    </>
  )
}

type ElementsSwitchProps = { checked: boolean; onChange: (checked: boolean) => void }

/** Switch for the display of recognised elements. */
export function ElementsSwitch({ checked, onChange }: ElementsSwitchProps) {
  const { t } = useTranslation('documents')
  return (
    <span className="viewer-switch">
      <span aria-hidden>{t('viewer.parsed_data')}</span>
      <Switch aria-label={t('viewer.parsed_data')} checked={checked} onCheckedChange={onChange} />
    </span>
  )
}
