import { useState } from 'react'
import { parseNetwork } from '#shared/identity/networks/ip.ts'
import { MAX_NOTE_CHARACTERS, type Restricts } from '#shared/identity/networks/networks.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { refusalText, useAddNetwork } from './use-networks.ts'

type AddNetworkFormProps = { companyId: string; restricts: Restricts; address: string }

/** Adds a network with a note. The person's own address is offered, since the list must contain it. */
export function AddNetworkForm({ companyId, restricts, address }: AddNetworkFormProps) {
  const { t } = useTranslation('admin')
  const [network, setNetwork] = useState('')
  const [note, setNote] = useState('')
  const [isWrong, setWrong] = useState(false)
  const adding = useAddNetwork(companyId, restricts, () => {
    setNetwork('')
    setNote('')
  })
  const refusal = adding.error && refusalText(t, adding.error, address)
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        const isNetwork = parseNetwork(network) !== null
        setWrong(!isNetwork)
        if (isNetwork && !adding.isPending) adding.mutate({ network: network.trim(), note: note.trim() })
      }}
    >
      <Field
        className="flex-1 basis-56"
        label={t('networks.network')}
        hint={t('networks.own_address', { address })}
        error={isWrong ? t('networks.wrong') : refusal}
        aside={
          <button
            type="button"
            className="rounded-tag text-accent hover:underline"
            onClick={() => setNetwork(address)}
          >
            {t('networks.use_own')}
          </button>
        }
      >
        <Input
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          placeholder="192.0.2.0/24"
          value={network}
          onChange={({ target }) => setNetwork(target.value)}
        />
      </Field>
      <Field className="flex-1 basis-56" label={t('networks.note')} optional>
        <Input
          maxLength={MAX_NOTE_CHARACTERS}
          placeholder={t('networks.note_example')}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Field>
      <Button
        type="submit"
        className="mt-6 max-md:mt-0 max-md:w-full"
        busy={adding.isPending}
        aria-label={t(`networks.${restricts}.add`)}
      >
        {t('networks.add')}
      </Button>
    </form>
  )
}
