import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfOption, nameOfOutput, readableName } from '../../../platform/i18n/tool-words.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Payload } from './payload.tsx'
import { isStoredPicture, StoredPicture } from './stored-picture.tsx'

type ValuesProps = {
  /** Tool whose field labels are used. */
  toolId: string
  side: 'inputs' | 'outputs'
  value: unknown
  className?: string
}

/** Limits for the readable form; values with more fields or levels are shown as raw data. */
const FIELDS_MOST = 60
const DEPTH_MOST = 3

/** Input or output in readable form, each field with its label. Users can switch to the raw data. */
export function Values({ toolId, side, value, className }: ValuesProps) {
  const { t } = useTranslation('tool_ui')
  const [isRaw, setRaw] = useState(false)
  if (!isRecord(value) || countFields(value) > FIELDS_MOST)
    return <Payload value={value} className={className} />
  const nameOf = (field: string) =>
    side === 'inputs' ? nameOfInput(t, toolId, field) : nameOfOutput(t, toolId, field)
  const wordOf = (field: string, word: string) =>
    side === 'inputs' ? nameOfOption(t, toolId, field, word) : word
  return (
    <div className="grid w-full min-w-0 justify-items-start gap-2">
      {isRaw ? (
        <Payload value={value} className={`w-full ${className ?? ''}`} />
      ) : (
        <Fields>
          {Object.entries(value).map(([field, one]) => (
            <Line key={field} name={nameOf(field)}>
              <Value value={typeof one === 'string' ? wordOf(field, one) : one} depth={1} />
            </Line>
          ))}
        </Fields>
      )}
      <Button variant="link" size="sm" className="!text-ink-2" onClick={() => setRaw(!isRaw)}>
        {isRaw ? t('streaming_blocks:tool.as_words') : t('streaming_blocks:tool.as_data')}
      </Button>
    </div>
  )
}

function Fields({ children }: { children: ReactNode }) {
  return (
    <dl className="grid w-full min-w-0 grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-13">
      {children}
    </dl>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="m-0 min-w-0 whitespace-pre-wrap wrap-anywhere">{children}</dd>
    </>
  )
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  const { t } = useTranslation('streaming_blocks')
  if (value === null || value === undefined || value === '') return <span className="text-ink-3">–</span>
  if (typeof value === 'boolean') return value ? t('input.yes') : t('input.no')
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 12 })
  if (typeof value === 'string') return value
  if (isStoredPicture(value)) return <StoredPicture picture={value} />
  if (depth >= DEPTH_MOST) return <Payload value={value} className="max-h-48" />
  if (!Array.isArray(value))
    return (
      <Fields>
        {Object.entries(value).map(([field, one]) => (
          <Line key={field} name={readableName(field)}>
            <Value value={one} depth={depth + 1} />
          </Line>
        ))}
      </Fields>
    )
  if (value.length === 0) return <span className="text-ink-3">–</span>
  if (value.every((one) => typeof one !== 'object')) return value.map(String).join(', ')
  return (
    <ol className="grid gap-2">
      {value.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a call do not change places.
        <li key={at} className="border-l border-line pl-3">
          <Value value={one} depth={depth + 1} />
        </li>
      ))}
    </ol>
  )
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + countFields(one), 0)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
