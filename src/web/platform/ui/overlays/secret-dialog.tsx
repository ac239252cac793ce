import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Field } from '../field.tsx'
import { Input } from '../input.tsx'
import { Dialog } from './dialog.tsx'

type SecretDialogProps = {
  title: string
  description: ReactNode
  secret: string
  /** Names of the secret, the copy button and the close button. */
  names: { secret: string; copy: string; done: string }
  onClose: () => void
}

/** A secret that is shown only once, so only the button closes it. */
export function SecretDialog({ title, description, secret, names, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open
      size="md"
      dismissible={false}
      onOpenChange={() => undefined}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          {names.done}
        </Button>
      }
    >
      <Field label={names.secret}>
        <Input
          readOnly
          size="lg"
          value={secret}
          className="font-mono"
          onFocus={({ target }) => target.select()}
          end={<CopyButton name={names.copy} size="sm" read={() => secret} />}
        />
      </Field>
    </Dialog>
  )
}
