/** How every embed token begins, so that one that lies somewhere is recognised as one. */
export const EMBED_PREFIX = 'emb_'
/** How what a visitor calls with begins. */
export const VISIT_PREFIX = 'emv_'
/** The page an embedded assistant stands on. */
export const EMBED_PAGE = '/embed'
/** What a frame shows where the token does not open it. */
export const CLOSED_PAGE = '/embed/closed'
/** What other pages put it there with. */
export const EMBED_SCRIPT = '/embed.js'
/** The browser extension, to be downloaded. */
export const EXTENSION_FILE = '/atrium-extension.zip'
/** What its pages are called: in Chromium by the key in its manifest, in Firefox by a name made at its installation. */
export const EXTENSION_ORIGINS = ['chrome-extension://kbhiedibmgdehjlepibfjjmifbeeicoj', 'moz-extension:']
