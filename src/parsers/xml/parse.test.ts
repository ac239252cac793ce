import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const brief = async (name: string, source: string) =>
  (await parseBytes(name, source)).elements.map(({ type, text, level, markdown }) => [
    type,
    markdown ?? text,
    ...(type === 'Title' ? [level] : []),
  ])

const jats = `<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.3//EN" "JATS.dtd">
<article xml:lang="fr" xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><journal-title>Lost</journal-title></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/x</article-id><title-group><article-title>Les <italic>oiseaux</italic></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Roy</surname><given-names>Anne B</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Nobody</surname></name></contrib></contrib-group>
<aff><label>1</label><institution>CNRS</institution><country>France</country></aff>
<abstract><p>R&eacute;sum&#233; court.</p></abstract></article-meta></front>
<body><sec><label>1.</label><title>Introduction</title><p>Une <bold>ligne</bold> <xref>[1]</xref>, voir <ext-link xlink:href="https://a.example/">ici</ext-link>.
<disp-formula><tex-math>\\begin{document}$$a^2$$\\end{document}</tex-math></disp-formula></p>
<sec><title>Cas</title><list list-type="order"><list-item><p>un</p></list-item><list-item><p>deux</p></list-item></list>
<table-wrap><label>Table 1.</label><caption><title>Prix</title></caption><table><thead><tr><th>A</th><th>B</th></tr></thead>
<tbody><tr><td colspan="2">x</td></tr></tbody></table></table-wrap></sec></sec></body>
<back><ref-list><ref><label>1</label><element-citation><person-group><name><surname>Li</surname><given-names>C</given-names></name></person-group>
<article-title>Ailes</article-title><year>2020</year></element-citation></ref></ref-list></back></article>`

describe('XML that is a text', () => {
  it('reads articles in JATS with title, authors, sections, lists, tables, formulas and sources', async () => {
    expect(await brief('a.nxml', jats)).toEqual([
      ['Title', '# Les oiseaux', 1],
      ['NarrativeText', 'Anne B Roy'],
      ['NarrativeText', 'CNRS, France'],
      ['Title', '## Résumé', 2],
      ['NarrativeText', 'Résumé court.'],
      ['Title', '## 1\\. Introduction', 2],
      ['NarrativeText', 'Une **ligne** \\[1\\], voir [ici](https://a.example/).'],
      ['Formula', 'a^2'],
      ['Title', '### Cas', 3],
      ['ListItem', '1. un'],
      ['ListItem', '2. deux'],
      ['NarrativeText', 'Table 1. Prix'],
      ['Table', '| A | B |\n| --- | --- |\n| x |  |'],
      ['Title', '## Références', 2],
      ['ListItem', '- C Li. Ailes. 2020'],
    ])
    const { facts, markdown } = await parseBytes('a.nxml', jats)
    expect(facts).toEqual({
      title: 'Les oiseaux',
      author: 'Anne B Roy',
      source_url: 'https://doi.org/10.1/x',
    })
    expect(markdown).toContain('$$a^2$$')
  })

  it('reads books in DocBook', async () => {
    const book = `<book xmlns="http://docbook.org/ns/docbook"><info><title>Guide</title><author><personname><firstname>Ann</firstname>
      <surname>Lee</surname></personname></author></info><chapter><title>Start</title><para>First<footnote><para>see below</para></footnote>.
      <itemizedlist><listitem><para>one</para></listitem></itemizedlist></para><variablelist><varlistentry><term>ls</term><listitem><para>lists</para>
      </listitem></varlistentry></variablelist><programlisting language="sh">ls -l</programlisting><table><title>Sizes</title><tgroup cols="3">
      <colspec colname="a"/><colspec colname="b"/><colspec colname="c"/><thead><row><entry>A</entry><entry>B</entry><entry>C</entry></row></thead>
      <tbody><row><entry morerows="1">1</entry><entry namest="b" nameend="c">2</entry></row><row><entry>3</entry><entry>4</entry></row></tbody>
      </tgroup></table><section><title>More</title><para>Text</para></section></chapter></book>`
    expect(await brief('b.xml', book)).toEqual([
      ['Title', '# Guide', 1],
      ['NarrativeText', 'Ann Lee'],
      ['Title', '## Start', 2],
      ['NarrativeText', 'First (see below).'],
      ['ListItem', '- one'],
      ['ListItem', '- **ls**'],
      ['ListItem', '- lists'],
      ['CodeSnippet', 'ls -l'],
      ['NarrativeText', 'Sizes'],
      ['Table', '| A | B | C |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |'],
      ['Title', '### More', 3],
      ['NarrativeText', 'Text'],
    ])
  })

  it('reads texts in TEI', async () => {
    const tei = `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Odes</title><author>Ann Lee</author></titleStmt>
      <publicationStmt><p>Nowhere</p></publicationStmt></fileDesc></teiHeader><text><body><div><head>I</head><p>See the <hi rend="bold">sea</hi>.</p>
      <lg><l>one</l><l>two</l></lg><table><head>Waves</head><row role="label"><cell>h</cell></row><row><cell>1</cell></row></table></div></body></text></TEI>`
    expect(await brief('t.xml', tei)).toEqual([
      ['Title', '# Odes', 1],
      ['NarrativeText', 'Ann Lee'],
      ['Title', '## I', 2],
      ['NarrativeText', 'See the **sea**.'],
      ['NarrativeText', '> one'],
      ['NarrativeText', '> two'],
      ['NarrativeText', 'Waves'],
      ['Table', '| h |\n| --- |\n| 1 |'],
    ])
  })

  it('takes unknown elements with a title for sections', async () => {
    const manual =
      '<manual><unit><heading>Safety</heading><p>Unplug it.</p><hint>Twice.</hint></unit></manual>'
    expect(await brief('m.xml', `<?xml version="1.0"?>${manual}`)).toEqual([
      ['Title', '## Safety', 2],
      ['NarrativeText', 'Unplug it.'],
      ['NarrativeText', 'Twice.'],
    ])
  })
})

describe('XML that is data', () => {
  it('shows records as a table and fields below their heading', async () => {
    const order = `<?xml version="1.0" encoding="ISO-8859-1"?><order id="7"><customer><name>Zo\u00eb</name><city>Lyon</city></customer>
      <lines><line no="1"><item>Pen</item></line><line no="2"><item>Ink</item><price>3.5</price></line></lines></order>`
    const { elements } = await parseBytes('o.xml', Buffer.from(order, 'latin1'))
    expect(elements.map(({ type, markdown }) => [type, markdown])).toEqual([
      ['ListItem', '- **id:** 7'],
      ['Title', '# Zo\u00eb'],
      ['ListItem', '- **city:** Lyon'],
      ['Title', '# lines'],
      ['Table', '| no | item | price |\n| --- | --- | --- |\n| 1 | Pen |  |\n| 2 | Ink | 3.5 |'],
    ])
  })

  it('reads news with their embedded HTML', async () => {
    const rss = `<rss version="2.0"><channel><title>News</title><item><title>One</title><description><![CDATA[<p>Big <b>day</b></p>]]></description></item>
      <item><title>Two</title><description>Small</description></item></channel></rss>`
    const { markdown } = await parseBytes('n.xml', rss)
    expect(markdown).toContain('# News')
    expect(markdown).toContain('# One')
    expect(markdown).toContain('Big **day**')
  })
})

describe('hostile XML', () => {
  it('refuses entities that a file declares', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
    ).join('')
    const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "lol">${levels}]><r><p>&e9;</p></r>`
    await expect(parseBytes('b.xml', bomb)).rejects.toMatchObject({ code: 'damaged' })
    const file =
      '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><p>&x;</p></r>'
    await expect(parseBytes('x.xml', file)).rejects.toMatchObject({ code: 'damaged' })
  })

  it('stops at the limit of characters and reports it', async () => {
    const source = `<?xml version="1.0"?><book><chapter>${'<p>Ten chars.</p>'.repeat(1000)}</chapter></book>`
    const { elements, warnings } = await parseBytes('l.xml', source, { limits: { characters: 2000 } })
    expect(elements.length).toBeGreaterThan(10)
    expect(elements.length).toBeLessThan(60)
    expect(warnings).toEqual([{ code: 'text_cut', values: { characters: 2000 } }])
  })
})
