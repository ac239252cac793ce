import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { VectorObject } from '#shared/knowledge/vector-db/vector-db.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { VectorValues } from './vector-values.tsx'

type Props = { object: VectorObject; isOpen: boolean; onToggle: () => void; onDelete: () => void }

/** An object in one row; expanded with its fields, readers and vectors. */
export function ObjectRow({ object, isOpen, onToggle, onDelete }: Props) {
  const { t } = useTranslation('vectors')
  const { file_name, chunk_type, text } = object.properties
  const id = shortOf(object.uuid)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <li className="min-w-0">
      <div className="flex min-h-11 items-center gap-3 px-3 text-13">
        <span className="w-24 flex-none font-mono text-12 text-ink-2">{id}</span>
        <span className="w-40 flex-none truncate max-md:hidden">{file_name}</span>
        <span className="w-28 flex-none truncate text-ink-2 max-lg:hidden">{chunk_type}</span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {text || t('objects.no_content')}
        </span>
        <IconButton
          size="sm"
          aria-expanded={isOpen}
          name={t(isOpen ? 'objects.close' : 'objects.open', { id })}
          onClick={onToggle}
        >
          <Chevron aria-hidden className="icon" />
        </IconButton>
        <IconButton size="sm" variant="danger" name={t('objects.delete', { id })} onClick={onDelete}>
          <Trash2 aria-hidden className="icon" />
        </IconButton>
      </div>
      {isOpen && <Details object={object} />}
    </li>
  )
}

function Details({ object }: { object: VectorObject }) {
  const { t } = useTranslation('vectors')
  const [isRaw, setRaw] = useState(false)
  const { text, content: _, user_id, company_id, shared_access, metadata, ...fields } = object.properties
  return (
    <div className="grid gap-4 bg-surface px-4 py-3 text-13">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          aria-pressed={!isRaw}
          variant={isRaw ? 'ghost' : 'secondary'}
          onClick={() => setRaw(false)}
        >
          {t('objects.formatted')}
        </Button>
        <Button
          size="sm"
          aria-pressed={isRaw}
          variant={isRaw ? 'secondary' : 'ghost'}
          onClick={() => setRaw(true)}
        >
          {t('objects.raw')}
        </Button>
        <span className="ml-auto font-mono text-12 break-all text-ink-2">{object.uuid}</span>
      </div>
      {isRaw ? (
        <pre className="max-h-100 overflow-auto rounded-control bg-surface-2 p-3 text-12">
          {JSON.stringify(object, null, 2)}
        </pre>
      ) : (
        <>
          <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
            <Facts>
              <Fact name="text">
                <span dir="auto" className="whitespace-pre-wrap">
                  {text || t('objects.no_content')}
                </span>
              </Fact>
              {Object.entries(fields).map(
                ([name, value]) =>
                  value !== null && (
                    <Fact key={name} name={name}>
                      {String(value)}
                    </Fact>
                  ),
              )}
              <Fact name="metadata">
                <code className="text-12">{JSON.stringify(metadata)}</code>
              </Fact>
            </Facts>
            <div>
              <h3 className="mb-2 text-12 font-medium text-ink-2">{t('objects.access')}</h3>
              <Facts>
                <Fact name="user_id">{user_id ?? '–'}</Fact>
                <Fact name="company_id">{company_id ?? '–'}</Fact>
                <Fact name="shared_access">{shared_access.join(', ') || '–'}</Fact>
              </Facts>
            </div>
          </div>
          <VectorValues vectors={object.vectors} />
        </>
      )}
    </div>
  )
}

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[112px_minmax(0,1fr)] content-start gap-x-3 gap-y-1.5">{children}</dl>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="truncate font-mono text-12 text-ink-2">{name}</dt>
    <dd className="break-words">{children}</dd>
  </>
)

const shortOf = (id: string) => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id)
