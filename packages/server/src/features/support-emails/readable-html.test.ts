import { describe, expect, it } from 'vitest'
import { sanitiseHtml } from '../registry/sanitise-html.ts'
import { htmlOfText, textOfHtml } from './support-email-text.ts'

describe('HTML as text', () => {
  it.each([
    [
      '<p>Stop the pump.</p><ul><li>Rinse</li><li>Prime</li></ul><p>Start.</p>',
      'Stop the pump.\n\n- Rinse\n- Prime\n\nStart.',
    ],
    [
      '<ol start="3"><li><p>Rinse</p></li><li>Prime<ul><li>A</li><li>B</li></ul></li></ol>',
      '3. Rinse\n4. Prime\n  - A\n  - B',
    ],
    ['a<br>b<br/>c', 'a\nb\nc'],
    [
      '<table><tr><th>Part</th><th>Limit</th></tr><tr><td>P9-B</td><td>1.2 MPa</td></tr></table>',
      'Part | Limit\nP9-B | 1.2 MPa',
    ],
    ['see <a href="https://x.example/a?b=1&amp;c">the manual</a>.', 'see the manual (https://x.example/a?b=1&c).'],
    ['<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['p &lt; 3 &amp;amp; q', 'p < 3 &amp; q'],
    ['  <p> many \n\n blanks </p> ', 'many blanks'],
    ['<dl><dt>Red</dt><dd>Stop</dd></dl>', 'Red\n  Stop'],
    ['', ''],
  ])('%s', (html, text) => {
    expect(textOfHtml(html)).toBe(text)
  })

  it('of 50,000 characters in one line is read in one go', () => {
    const html = '<b>x</b> '.repeat(5500)
    expect(textOfHtml(html)).toHaveLength(10_999)
  })
})

describe('text as HTML', () => {
  it('keeps paragraphs and lines, and escapes everything', () => {
    expect(htmlOfText('a <b>\nc & "d"\n \n\n e')).toBe('<p>a &lt;b&gt;<br>c &amp; &quot;d&quot;</p>\n<p>e</p>')
  })

  it('links addresses that begin with https, without what ends the sentence', () => {
    expect(htmlOfText('See https://x.example/a?b=1&c=2.')).toBe(
      '<p>See <a href="https://x.example/a?b=1&amp;c=2" rel="noopener">https://x.example/a?b=1&amp;c=2</a>.</p>',
    )
  })

  it.each(['http://x.example', 'javascript:alert(1)', 'https://', 'https://bank.example@evil.example/x'])(
    'leaves %s as text',
    (text) => {
      expect(htmlOfText(text)).toBe(`<p>${text}</p>`)
    },
  )

  it('links no address within a value, and lets no value change the target of a link', () => {
    const values = { name: 'https://evil.example/n', code: '1 2/3', lines: 'a\n\nUnsubscribe: https://evil.example' }
    expect(htmlOfText('Dear {name},\n\n{lines}\n\n{none}', { ...values, none: ' ' })).toBe(
      '<p>Dear https://evil.example/n,</p>\n<p>a<br><br>Unsubscribe: https://evil.example</p>',
    )
    expect(htmlOfText('https://help.example/{code}', values)).toBe(
      '<p><a href="https://help.example/1%202%2F3" rel="noopener">https://help.example/1 2/3</a></p>',
    )
    for (const host of ['https://{code}/x', 'https://help.example{code}', 'https://help.example:{code}/'])
      expect(htmlOfText(host, values)).not.toContain('<a')
  })

  it('makes HTML that the sanitiser finds nothing to take from', () => {
    const html = htmlOfText('<img src=x onerror=alert(1)>\nhttps://x.example/"onclick="x')
    expect(sanitiseHtml(html).replaceAll('<br />', '<br>')).toBe(html.replaceAll('&quot;', '"'))
  })
})
