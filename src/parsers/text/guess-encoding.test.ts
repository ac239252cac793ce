import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const texts: Record<string, [text: string, encodings: string[]]> = {
  Russian: [
    'Счёт 17. Договор аренды заключён между сторонами на два года; плата вносится ежемесячно.',
    ['windows-1251', 'koi8-r', 'iso-8859-5'],
  ],
  'short Russian': ['Договор аренды квартиры', ['windows-1251', 'koi8-r', 'cp866']],
  Hebrew: ['החוזה נחתם בחודש מרץ ושכר הדירה משולם מדי חודש', ['windows-1255', 'iso-8859-8']],
  Arabic: ['تم توقيع العقد في شهر مارس ويدفع الإيجار كل شهر', ['windows-1256', 'iso-8859-6']],
  Thai: ['สัญญาลงนามเมื่อวันที่ 5 มีนาคม และจ่ายค่าเช่าทุกเดือน', ['windows-874']],
  Greek: [
    'Η σύμβαση μίσθωσης υπογράφεται για δύο χρόνια και το μίσθωμα καταβάλλεται κάθε μήνα.',
    ['windows-1253', 'iso-8859-7', 'cp737'],
  ],
  Turkish: [
    'Kira sözleşmesi iki yıl için yapılmıştır; ödeme her ayın başında yapılır. Şirket müdürü değişikliği bildirir.',
    ['windows-1254', 'cp857'],
  ],
  Japanese: [
    '品名,数量\nりんごジュース,十二本\n契約書の期間は二年です。毎月の初めに支払います。',
    ['shift_jis', 'euc-jp'],
  ],
  Chinese: ['租赁合同的期限为两年，租金每月支付一次。双方应当遵守合同的规定。', ['gb18030']],
  'traditional Chinese': ['租賃合約的期限為兩年，租金每月支付一次。雙方應當遵守合約的規定。', ['big5']],
  Korean: ['임대차 계약 기간은 이 년이며 임대료는 매월 초에 지급합니다. 회사는 변경을 알립니다.', ['euc-kr']],
  French: [
    'Été à la mer : le bail dure deux ans, où le loyer est payé chaque mois à l’agence. Ça coûte 5 €.',
    ['windows-1252'],
  ],
  'French of older systems': [
    "Le bail dure deux ans ; le loyer est payé chaque mois à l'agence, dès réception.",
    ['macintosh', 'cp850'],
  ],
  German: [
    'Änderungen der Miete müssen schriftlich erklärt werden. Über Größe und Fläche entscheidet das Amt.',
    ['windows-1252', 'macintosh', 'cp850'],
  ],
  Polish: [
    'Umowa najmu została zawarta na dwa lata; czynsz płatny jest co miesiąc. Zmiany wymagają formy pisemnej.',
    ['windows-1250', 'iso-8859-2', 'cp852'],
  ],
  'short Polish': ['Część główna', ['windows-1250', 'iso-8859-2']],
  'a Polish name': ['Łódź', ['windows-1250', 'iso-8859-2']],
  'a Polish word': ['żółw', ['windows-1250', 'iso-8859-2']],
  'a Polish word that ends like cut UTF-8': ['Dwa żółwie i gęś', ['windows-1250', 'iso-8859-2']],
  'a Polish sentence': ['Zażółć gęślą jaźń', ['windows-1250', 'iso-8859-2']],
  'short Czech': ['Příliš žluťoučký kůň', ['windows-1250', 'iso-8859-2']],
  'short Turkish': ['Şirket müdürü değişti', ['windows-1254']],
  Lithuanian: [
    'Nuomos sutartis sudaryta dvejiems metams, nuomos mokestis mokamas kas mėnesį. Šalys privalo laikytis sąlygų.',
    ['windows-1257'],
  ],
  Hungarian: [
    'A bérleti szerződés két évre szól; a díjat minden hónap elején kell fizetni. Főleg szőlő és gyümölcs terem itt.',
    ['windows-1250', 'iso-8859-2'],
  ],
  Estonian: [
    'Üürileping on sõlmitud kaheks aastaks. Üür makstakse iga kuu alguses; žürii ja šefi otsus on lõplik.',
    ['windows-1257'],
  ],
  Ukrainian: ['Договір оренди укладено на два роки; плата вноситься щомісяця.', ['windows-1251', 'koi8-u']],
  'short Chinese': ['姓名,年龄\n张三,30', ['gbk']],
  'a Chinese word': ['合同', ['gbk']],
  'short traditional Chinese': ['中華民國', ['big5']],
  'short Japanese': ['東京都', ['shift_jis', 'euc-jp']],
  'short Korean': ['안녕하세요', ['euc-kr']],
  'French names': ['Nom;Ville\nLefèvre;Orléans\nBenoît;Nîmes\nLoïc;Saint-Étienne', ['windows-1252']],
  'German names': ['Name;Ort\nMüller;Köln\nWeiß;Nürnberg\nSchröder;Lübeck', ['windows-1252']],
  'French units': ['Surface : 25 m² à 3°C, µm, ½ tasse, n°5, 1ère année, §4', ['windows-1252']],
  Spanish: ['¿Dónde está el año? «Sí», dijo la niña.', ['windows-1252']],
  'a few accents': [
    'The café in Zürich is open. Ms Ångström pays. Nothing else is odd in this text of mine.',
    ['windows-1252'],
  ],
}

const TONE = /[\u0300\u0301\u0303\u0309\u0323]/
/** Writes each tone behind its letter, as Windows-1258 does. */
const withTones = (text: string) =>
  [...text].map((sign) => {
    const parts = sign.normalize('NFD')
    return parts.replace(TONE, '').normalize('NFC') + (TONE.exec(parts)?.[0] ?? '')
  })

describe('decodeText', () => {
  it.each(
    Object.entries(texts).flatMap(([name, [text, encodings]]) => encodings.map((one) => [name, one, text])),
  )('reads %s in %s without a mark', (_, encoding = '', text = '') => {
    const { text: read, isGuessed } = decodeText(iconv.encode(text, encoding))
    expect({ read, isGuessed }).toEqual({ read: text, isGuessed: true })
  })

  it('joins the tones of Vietnamese in Windows-1258 with their letters', () => {
    const text = 'Hợp đồng thuê nhà có thời hạn hai năm, tiền thuê trả hằng tháng.'
    const bytes = iconv.encode(withTones(text).join(''), 'windows-1258')
    expect(decodeText(bytes)).toEqual({ text, encoding: 'windows-1258', isGuessed: true })
  })

  it('reads Japanese of seven bits by its escape sequences', () => {
    const bytes = Buffer.from('Invoice \x1b$B7@Ls=q\x1b(B 2026', 'latin1')
    expect(decodeText(bytes)).toMatchObject({ text: 'Invoice 契約書 2026', isGuessed: true })
  })

  const fewWords = [
    ['Russian', 'windows-1251', 'Счёт оплачен, доставка в Тверь'],
    ['Greek', 'windows-1253', 'Εξοφλήθηκε, παράδοση στη Λάρισα'],
    ['Hebrew', 'windows-1255', 'שולם, משלוח לחיפה'],
    ['Thai', 'windows-874', 'ชำระแล้ว ส่งไปเชียงใหม่'],
    ['Polish', 'iso-8859-2', 'zapłacono, dostawa do Łodzi później'],
    ['Lithuanian', 'windows-1257', 'apmokėta, pristatyta į Šiaulius, grąžinta'],
    ['Turkish', 'windows-1254', 'ödendi, Muş şubesine gönderildi, değişmedi'],
    ['French', 'macintosh', 'réglé, livré à Besançon, déjà expédié'],
  ]
  it.each(fewWords)('reads a few words of %s in a long table in ASCII', (_, encoding = '', words = '') => {
    const rows = Array.from(
      { length: 5_000 },
      (__, at) => `${at};2026-01-15;INVOICE;${at * 3}.00;EUR;${at === 4_100 ? words : 'paid'}`,
    )
    const text = rows.join('\n')
    expect(decodeText(iconv.encode(text, encoding)).text === text).toBe(true)
  })
})
