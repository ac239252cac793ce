/** Public mail services. No company owns addresses there. */
const services = `
  gmail.com googlemail.com outlook.com outlook.fr hotmail.com hotmail.fr hotmail.co.uk live.com live.fr msn.com
  yahoo.com yahoo.fr yahoo.co.uk ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me
  gmx.com gmx.de gmx.net gmx.fr web.de t-online.de freenet.de mail.com mail.ru yandex.com yandex.ru zoho.com
  fastmail.com hey.com tutanota.com tuta.com orange.fr wanadoo.fr free.fr sfr.fr laposte.net bbox.fr
  libero.it qq.com 163.com 126.com naver.com comcast.net verizon.net att.net btinternet.com bluewin.ch
  mailinator.com guerrillamail.com yopmail.com 10minutemail.com`

const known = new Set(services.trim().split(/\s+/))

export function isPublicDomain(domain: string): boolean {
  return known.has(domain)
}
