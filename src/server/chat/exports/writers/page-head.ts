/** Returns the head of an archive page. */
export const pageHead = (title: string, language: string) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`

const style = `:root{color-scheme:light dark}body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:16px/1.55 Inter,system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{margin-top:2.5rem;font-size:1.2rem}h3{margin:2rem 0 .25rem;font-size:1rem}.quiet{color:gray;font-size:.85rem}
pre{overflow:auto;padding:.75rem;background:#8881}code{font-family:"JetBrains Mono",monospace;font-size:.9em}blockquote{margin:1rem 0;padding-inline-start:1rem;border-inline-start:3px solid #8885}
table{border-collapse:collapse;width:100%}th,td{padding:.4rem .6rem;border-bottom:1px solid #8885;text-align:start;vertical-align:top}img{max-width:100%}.notes{border-top:1px solid #8885;margin-top:2rem;padding-top:1rem;font-size:.85rem}`

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)
