/** The part of the Chromium and Firefox extension API that is used here. */
type Tab = { id?: number; windowId: number; title?: string; url?: string }
type Heard<Args extends unknown[]> = { addListener(hear: (...args: Args) => void): void }
type StorageArea = {
  get(name: string): Promise<Record<string, unknown>>
  set(values: Record<string, unknown>): Promise<void>
  remove(name: string): Promise<void>
  onChanged: Heard<[Record<string, { newValue?: unknown }>]>
}

declare const chrome: {
  action: { onClicked: Heard<[Tab]> }
  contextMenus: {
    create(entry: { id: string; title: string; contexts: string[] }): void
    removeAll(): Promise<void>
    onClicked: Heard<[{ menuItemId: string | number; selectionText?: string }, Tab | undefined]>
  }
  i18n: { getMessage(name: string): string; getUILanguage(): string }
  runtime: { onInstalled: Heard<[]> }
  scripting: {
    executeScript<T>(wish: { target: { tabId: number }; func: () => T }): Promise<{ result?: T }[]>
  }
  /** Chromium only. */
  sidePanel?: { open(where: { windowId: number }): Promise<void> }
  /** Firefox only. */
  sidebarAction?: { open(): Promise<void> }
  storage: { local: StorageArea; session: StorageArea }
  tabs: { query(wish: { active: boolean; currentWindow: boolean }): Promise<Tab[]> }
}
