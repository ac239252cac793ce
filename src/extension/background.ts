/**
 * Opens the panel and passes it the page or selection that a person asks about. Reads pages only after a click on the icon
 * or in the context menu; without one the extension has no access to them.
 */
const ASK_PAGE = 'ask-page'
const ASK_SELECTION = 'ask-selection'

chrome.runtime.onInstalled.addListener(() => {
  void chrome.contextMenus.removeAll().then(() => {
    const { i18n, contextMenus } = chrome
    contextMenus.create({ id: ASK_PAGE, title: i18n.getMessage('ask_page'), contexts: ['page'] })
    const title = i18n.getMessage('ask_selection')
    contextMenus.create({ id: ASK_SELECTION, title, contexts: ['selection'] })
  })
})

chrome.action.onClicked.addListener(openPanel)

chrome.contextMenus.onClicked.addListener(({ menuItemId, selectionText = '' }, tab) => {
  if (!tab) return
  // Called before any await, because browsers open panels only in direct response to a click.
  openPanel(tab)
  const { title = '', url = '' } = tab
  if (menuItemId === ASK_SELECTION) offer({ title, url, text: selectionText, isSelection: true })
  else if (tab.id !== undefined) void offerPage(tab.id)
})

function openPanel({ windowId }: Tab): void {
  void (chrome.sidePanel?.open({ windowId }) ?? chrome.sidebarAction?.open())
}

type Offer = { title: string; url: string; text: string; isSelection: boolean }

/** Stores the page in memory until the browser closes; the panel passes it on. */
function offer(page: Offer): void {
  void chrome.storage.session.set({ offer: { ...page, at: Date.now() } })
}

async function offerPage(tabId: number): Promise<void> {
  const [read] = await chrome.scripting.executeScript({
    target: { tabId },
    func: () => ({
      title: document.title,
      url: location.href,
      text: document.body.innerText.slice(0, 40_000),
    }),
  })
  if (read?.result) offer({ ...read.result, isSelection: false })
}
