import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ItemReason } from '#shared/knowledge/connectors/connector-items.ts'
import type { Selection, Settings, SourceField, SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import type { SourceEntry } from '#shared/knowledge/file-picks/file-picks.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Service } from '../../platform/outbound/oauth/oauth-service.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** An item of a source as it is listed. */
export type SourceItem = {
  /** Stable name of the item in its source. */
  id: string
  /** Changes whenever the content changes. */
  version: string
  /** File name with its extension. */
  name: string
  /** Path with `/`, the name included. Folders of it become tags. */
  path: string
  /** Bytes; null when the source does not tell. */
  size: number | null
  /** Address of the item in its source. */
  url?: string
  owner?: string
  labels?: string[]
  created_at?: Date
  changed_at?: Date
  /** Equal before and after a move, for sources whose ids are paths. */
  move_key?: string
  /** Keys of those who may read it: `user:` with an address in lower case, or `group:` with a name. Only sources that mirror rights have them. */
  readers?: string[]
}

/** A part of a listing with the cursor behind it; null at the end. */
export type ListedPage = {
  items: SourceItem[]
  cursor: string | null
  /** On the last page: token from which `changes` reports everything that changed since the listing began. */
  changes?: string
}

/** A part of the changes with the token behind it. */
export type ChangedPage = {
  /** Selected items that are new or changed in any way. */
  items: SourceItem[]
  /** Ids of items that are deleted or no longer selected. Unknown ones are ignored. */
  removed: string[]
  token: string
  hasMore: boolean
}

/** A source with a sign-in. It is only read. */
export type OpenedSource = {
  /** Tries the sign-in. @throws SignedOut, AppError `unavailable` */
  check(): Promise<void>
  /** Returns the folders directly in a folder, by name. */
  folders?(path: string): Promise<{ items: SourceFolder[]; has_more: boolean }>
  /** Lists all selected items in pages, from a cursor on. The order is stable while nothing changes. */
  list(selection: Selection, cursor: string | null): AsyncIterable<ListedPage>
  /** Returns a page of changes since a token. @throws CursorExpired when everything has to be listed again */
  changes?(selection: Selection, token: string): Promise<ChangedPage>
  /** Opens the content of an item. @throws ItemRefused, SourceBusy */
  read(item: { id: string; path: string }, signal: AbortSignal): Promise<Readable>
  /** Returns the members of these groups. They are all that readers name. */
  members?(groups: readonly string[]): Promise<{ group_key: string; address: string }[]>
  /** Returns the folders and files directly in a folder, by name. @throws ItemRefused, SourceBusy */
  entries?(path: string): Promise<{ items: SourceEntry[]; has_more: boolean }>
  /** Returns what the source says about a picked file. @throws ItemRefused, SourceBusy */
  item?(file: { id: string; path: string }): Promise<Pick<SourceItem, 'name' | 'url' | 'size'>>
  /** Asks the source for notifications of changes, or renews those of `former`. Sources with `judge` have it. @throws as `check` */
  watch?(receiver: Receiver, former: string | null): Promise<Watch>
  /** Asks the source to stop the notifications of `channels`. */
  unwatch?(channels: string): Promise<void>
  /** Calls `changed` when it begins and whenever something changes, until the signal aborts. Sources with `follows` have it. @throws as `check` */
  follow?(selection: Selection, changed: () => void, signal: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** Address to which a source sends notifications, and the secret that each has to carry. */
export type Receiver = { address: string; secret: string }

/** Accepted notifications. `channels` is what the source needs to renew or stop them. */
export type Watch = { channels: string; ends_at: Date }

/** A request to the address of a receiver. `body` is parsed JSON; undefined without one. */
export type Notification = { headers: IncomingHttpHeaders; query: Record<string, unknown>; body: unknown }

/** `renew`: something changed, and the notifications end. `echo`: the source proves the address and expects this text. */
export type Judgement = 'changed' | 'renew' | 'nothing' | 'forged' | { echo: string }

/** Dependencies of a source. `settings` has the secrets. All requests go through `outbound`. */
export type SourceContext = {
  settings: Settings
  config: Config
  outbound: Pick<Outbound, 'fetch' | 'open'>
  /** Bytes of the largest item that is stored. */
  maxBytes: number
  signal: AbortSignal
  /** Readers of items are needed. */
  mirrors: boolean
  /** Tokens of a source with `signIn`; null for other sources. */
  account: SourceAccount | null
}

/** A sign-in at the OAuth service of a source. */
export type SourceAccount = {
  /** Returns an access token. @throws SignedOut, AppError `unavailable` */
  token(): Promise<string>
  /** Replaces a refused access token. @throws the same */
  renew(refused: string): Promise<string>
}

/** How people sign in to a source on the page of its OAuth service. */
export type SourceSignIn = {
  /** Settings with Atrium's client there, of `<id>-settings.ts`. Without them the source is not offered. */
  needs: readonly string[]
  /** Returns the service with the client. Called only when the settings are present. */
  serviceOf(config: Config): Service
  /** More parameters of its page. */
  parameters: Record<string, string>
}

/** A way to pick single files for a chat. Its texts are `picks.<id>` of the texts of its source. */
export type PickWay = {
  id: string
  /** Settings that are asked before. */
  fields: SourceField[]
  /** A sign-in that allows no more than picking needs. */
  signIn?: SourceSignIn
  /** People pick on the page of the sign-in, which then covers those files only. It returns `picked_file_ids`. */
  picksThere: boolean
}

/** A kind of source: the default export of `sources/<id>/<id>-source.ts`. */
export type ConnectorSource = {
  /** The name of its folder. */
  id: string
  /** Place among the sources where they are listed. */
  place: number
  fields: SourceField[]
  mirrorsRights: boolean
  /** Personal connectors are possible. */
  personal: boolean
  /** Folders can be chosen. */
  hasFolders: boolean
  /** Set when people sign in on a page of the source, after the connector is created. */
  signIn?: SourceSignIn
  /** Ways to pick single files. */
  picks?: PickWay[]
  /** False when this installation does not offer it. */
  isOffered(config: Config): boolean
  /** Host whose limits all its connectors share; null without one. */
  hostOf(settings: Settings): string | null
  /** Judges a notification by the secret of its receiver. */
  judge?: (notification: Notification, secret: string) => Judgement
  /** It reports changes while a connection to it is open. */
  follows?: boolean
  /** @throws AppError `invalid` for settings that cannot work */
  open(context: SourceContext): Promise<OpenedSource>
}

export const defineConnector = (source: ConnectorSource): ConnectorSource => source

/** The source asks to wait. */
export class SourceBusy extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super(`The source asks to wait for ${seconds} seconds.`)
    this.seconds = seconds
  }
}

/** The source refuses the sign-in. The message is one sentence for the person who manages the connector. */
export class SignedOut extends Error {}

/** A cursor or token of the source is too old. Everything has to be listed from the beginning. */
export class CursorExpired extends Error {}

/** The source does not give this item. */
export class ItemRefused extends Error {
  readonly reason: ItemReason

  constructor(reason: ItemReason, message: string) {
    super(message)
    this.reason = reason
  }
}
