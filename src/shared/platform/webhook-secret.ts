/** Prefix of every secret of a webhook, followed by the key in Base64. */
export const SECRET_PREFIX = 'whsec_'
