import type { Platform } from '../../platform/platform.ts'
import { type Found, found } from './found.ts'

/** Reports whether the mailbox of the installation is read. */
export async function checkMailbox({ mailbox }: Pick<Platform, 'mailbox'>): Promise<Found> {
  const { kind, error } = await mailbox.state()
  const address = mailbox.address ?? ''
  switch (kind) {
    case 'off':
      return found('mailbox_off')
    case 'starting':
      return found('mailbox_starting', { address })
    case 'failing':
      return found('mailbox_fails', { address, error })
    case 'unread':
      return found('mailbox_unread', { address })
    case 'read':
      return found(mailbox.verifiesSenders ? 'mailbox_read' : 'mailbox_unproved', { address })
    default:
      return kind satisfies never
  }
}
