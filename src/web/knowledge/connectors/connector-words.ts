import {
  CircleCheck,
  CirclePause,
  Hand,
  LoaderCircle,
  LogOut,
  type LucideIcon,
  Plug,
  TriangleAlert,
} from 'lucide-react'
import type { Connector, ConnectorState } from '#shared/knowledge/connectors/connectors.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import type { Tone } from '../../platform/ui/badge.tsx'

export const stateLooks: Record<ConnectorState, { tone: Tone; Icon: LucideIcon }> = {
  ready: { tone: 'success', Icon: CircleCheck },
  working: { tone: 'accent', Icon: LoaderCircle },
  paused: { tone: 'neutral', Icon: CirclePause },
  asking: { tone: 'warning', Icon: Hand },
  signed_out: { tone: 'danger', Icon: LogOut },
  failing: { tone: 'warning', Icon: TriangleAlert },
}

/** Icons by the path of the folder of a source, which is complete. */
const icons = import.meta.glob<LucideIcon>('../../../server/knowledge/connectors/sources/*/*-icon.ts', {
  eager: true,
  import: 'default',
})
export const iconOfSource = (source: string): LucideIcon =>
  icons[`../../../server/knowledge/connectors/sources/${source}/${source}-icon.ts`] ?? Plug

/** Tells whether no one has signed in to the source yet. */
export const isBeforeSignIn = ({ state, error, last_sync_at }: Connector): boolean =>
  state === 'signed_out' && error === null && last_sync_at === null

/** Name of a source; its id when there are no texts for it. */
export const nameOfSource = (t: TFunction, source: string): string =>
  t(`connectors:sources.${source}.name`, { defaultValue: source })

export const timeText = (time: string): string =>
  formatDate(time, { dateStyle: 'medium', timeStyle: 'short' })

/** Place of a source in its settings, such as an address or a path; an empty text when it has none. */
export function placeOf({ settings }: Pick<Connector, 'settings'>): string {
  const value = ['path', 'address', 'addresses', 'host', 'bucket']
    .map((name) => settings[name])
    .find((text) => text)
  return value?.split('\n')[0] ?? ''
}

/** Changes whenever the items or syncs of a connector may have changed. */
export const versionOf = ({
  last_sync_at,
  read,
  refused,
  listed,
  state,
  documents_failed,
}: Connector): string => [last_sync_at, read, refused, listed, state, documents_failed].join()

/** A time without its year, for narrow columns. */
export const shortTime = (time: string): string =>
  formatDate(time, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
