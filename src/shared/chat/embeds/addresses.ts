/** Prefix of embed tokens, which makes a leaked token recognisable. */
export const EMBED_PREFIX = 'emb_'
/** Prefix of visitor tokens. */
export const VISIT_PREFIX = 'emv_'
/** Page of an embedded assistant. */
export const EMBED_PAGE = '/embed'
/** Page that a frame shows when its token is not accepted. */
export const CLOSED_PAGE = '/embed/closed'
/** Script that embeds an assistant in another page. */
export const EMBED_SCRIPT = '/embed.js'
/** Download address of the browser extension. */
export const EXTENSION_FILE = '/atrium-extension.zip'
/** Origins of the extension: Chromium derives the id from the manifest key, Firefox picks one at installation. */
export const EXTENSION_ORIGINS = ['chrome-extension://kbhiedibmgdehjlepibfjjmifbeeicoj', 'moz-extension:']
