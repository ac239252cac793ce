/**
 * Opens the panel and brings there what somebody asks about. Pages are read when they say so and at no other time: only a click on
 * the icon or in the menu of a page lets the extension look at that page at all.
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
  // Before anything is awaited: browsers open panels for clicks alone.
  openPanel(tab)
  const { title = '', url = '' } = tab
  if (menuItemId === ASK_SELECTION) offer({ title, url, text: selectionText, isSelection: true })
  else if (tab.id !== undefined) void offerPage(tab.id)
})

function openPanel({ windowId }: Tab): void {
  void (chrome.sidePanel?.open({ windowId }) ?? chrome.sidebarAction?.open())
}

type Offer = { title: string; url: string; text: string; isSelection: boolean }

/** Kept in memory until the browser closes; the panel passes it on. */
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
