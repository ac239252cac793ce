import { AppError } from '#shared/platform/errors.ts'

/** The service asks to wait. Limits of the product are other errors with the same code. */
export class AsksToWait extends AppError {
  constructor(service: string, seconds: number) {
    super('rate_limited', `${service} asks to wait ${seconds} seconds.`, { retryAfterSeconds: seconds })
  }
}

/**
 * The place of a message: a conversation and the first message of a thread in it. For Teams also the address that is answered, the
 * team, and its group or the person in Entra ID.
 */
export type Place = {
  conversation: string
  root: string
  service: string
  team: string
  directory_id: string
}

/** A person as a service describes them. The address is null unless the service has confirmed it for its own people. */
export type ForeignPerson = { name: string; address: string | null; is_bot: boolean }

/** A member of a conversation. `person` is null where the service lists only ids. */
export type Member = { id: string; person: ForeignPerson | null }

/** A button and the number that its press sends. */
export type Button = { label: string; choice: number; isPrimary?: boolean }

/** A message in the words of the product: Markdown with its links written out. `id` finds it again. */
export type Said = { id: string; text: string; buttons?: readonly Button[] }

/** One connected service. Methods throw `AsksToWait`, or AppError `unavailable`, `invalid` for a refusal, `not_found` for an unknown person or conversation. */
export type Wire = {
  /** Asks whether the service accepts the secrets and their scopes. */
  test(): Promise<{ workspace: string; bot: string; app_id: string; tenant_id: string }>
  /** Conversations that the bot is a member of. `seen` are those that it was mentioned in. */
  offered(seen: readonly Place[]): Promise<{ foreign_id: string; name: string }[]>
  /** All members of a conversation. */
  members(place: Place): Promise<Member[]>
  person(place: Place, foreignId: string): Promise<ForeignPerson>
  /** Returns the id of the message at the service. */
  post(place: Place, said: Said): Promise<string>
  /** Returns the id of a message that was posted earlier; null when it never arrived. */
  find(place: Place, id: string): Promise<string | null>
  /** Replaces a message. Doing so again changes nothing. */
  change(place: Place, foreignId: string, said: Said): Promise<void>
  /** Shows a message to one person only. */
  tell(place: Place, recipient: string, text: string): Promise<void>
}
