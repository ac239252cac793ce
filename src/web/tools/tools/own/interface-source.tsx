import { FileCode2, Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field, useFieldControl } from '../../../platform/ui/field.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { readModuleFile, type Wish, type WrongFile } from './interface-wish.ts'

type SourceProps = { wish: Wish; change: (patch: Partial<Wish>) => void; approved: ModuleUi | null }

/** Source of the interface module: an address or an uploaded file. */
export function InterfaceSource({ wish, change, approved }: SourceProps) {
  const { t } = useTranslation('own_tools')
  return (
    <>
      <div>
        <Choice name={t('interface.from')}>
          {(['address', 'file'] as const).map((from) => (
            <Segment key={from} isOn={wish.from === from} onClick={() => change({ from })}>
              {t(`interface.by_${from}`)}
            </Segment>
          ))}
        </Choice>
      </div>
      {wish.from === 'address' ? (
        <ByAddress {...{ wish, change }} />
      ) : (
        <ByFile {...{ wish, change, approved }} />
      )}
    </>
  )
}

function ByAddress({ wish, change }: Omit<SourceProps, 'approved'>) {
  const { t } = useTranslation('own_tools')
  return (
    <>
      <Field label={t('interface.address')} hint={t('interface.address_hint')}>
        <Input
          value={wish.url}
          maxLength={2_000}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono"
          placeholder="https://"
          onChange={({ target }) => change({ url: target.value })}
        />
      </Field>
      <Field label={t('interface.hash')} optional hint={t('interface.hash_hint')}>
        <Input
          value={wish.sri}
          maxLength={120}
          spellCheck={false}
          className="font-mono"
          placeholder="sha384-"
          onChange={({ target }) => change({ sri: target.value })}
        />
      </Field>
    </>
  )
}

function ByFile({ wish: { file }, change, approved }: SourceProps) {
  const { t } = useTranslation('own_tools')
  const picker = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<WrongFile | null>(null)
  const choose = async ([chosen]: Iterable<File>) => {
    if (!chosen) return
    const read = await readModuleFile(chosen)
    setWrong(typeof read === 'string' ? read : null)
    if (typeof read !== 'string') change({ file: read })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void choose(event.dataTransfer.files)
  }
  return (
    <Field
      label={t('interface.file')}
      hint={t('interface.file_hint')}
      error={wrong ? t(`interface.${wrong}`) : undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button in it that does the same. */}
      <div
        className="flex flex-wrap items-center gap-3 rounded-card border border-dashed border-line-2 p-3.5"
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        <FileCode2 aria-hidden className="icon flex-none text-ink-3" />
        <FileFacts file={file} sri={approved?.kind === 'uploaded' ? approved.sri : null} />
        <input
          ref={picker}
          type="file"
          hidden
          accept=".js,.mjs"
          onChange={({ currentTarget }) => {
            void choose([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        <PickButton onClick={() => picker.current?.click()}>
          {t(file ? 'interface.other_file' : 'interface.choose_file')}
        </PickButton>
      </div>
    </Field>
  )
}

function PickButton({ onClick, children }: { onClick: () => void; children: string }) {
  const control = useFieldControl()
  return (
    <Button
      {...control}
      // The label of the field is its content.
      aria-label={children}
      size="sm"
      icon={<Upload aria-hidden className="icon-14" />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

/** Name and fingerprint of the stored file. The server computes the fingerprint of a new one. */
function FileFacts({ file, sri }: { file: Wish['file']; sri: string | null }) {
  const { t } = useTranslation('own_tools')
  if (!file) return <p className="min-w-0 flex-1 text-13 text-ink-2">{t('interface.drop')}</p>
  return (
    <p className="min-w-0 flex-1 basis-40 text-13">
      <span className="block truncate font-medium">{file.name}</span>
      <span className="block text-12 text-ink-3">
        {[sizeText(t, file.size), ...(file.content === null ? [] : [t('interface.not_yet')])].join(' · ')}
      </span>
      {file.content === null && sri !== null && (
        <span className="block font-mono text-12 wrap-anywhere text-ink-2">{sri}</span>
      )}
    </p>
  )
}
