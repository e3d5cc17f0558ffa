import { describe, expect, it } from 'vitest'
import { likePattern } from '../../db/sql/words.ts'
import { type LogTexts, markLabel, searchWords } from './log-words.ts'

const line = (over: Partial<LogTexts> = {}): LogTexts => ({
  message: 'Pump B started',
  module: 'P9-B',
  'log.level': 'INFO',
  'event.code': null,
  'winlog.user.name': null,
  'host.hostname': null,
  ...over,
})

const marksOf = (message: string, search: string) => markLabel(line({ message }), searchWords(search))?.message?.[0]

describe('words of a search', () => {
  it('are cut at blanks, folded, once each', () => {
    expect(searchWords('  pump  P9-B Pump \u0308 ')).toEqual(['pump', 'p9-b'])
    expect(searchWords('ÄKTA Łódź Straße ΛΌΓΟΣ')).toEqual(['akta', 'lodz', 'strasse', 'λογοσ'])
  })

  it('keep the signs of scripts in which marks are letters', () => {
    expect(searchWords('שָׁלוֹם हिन्दी')).toEqual(['שָׁלוֹם'.normalize('NFKD'), 'हिन्दी'.normalize('NFKD')])
  })

  it('are looked for as they stand, also with signs that patterns know', () => {
    expect(likePattern('100%_\\')).toBe('%100\\%\\_\\\\%')
    expect(marksOf('a.b axb (c', 'a.b (c')).toBe('<em>a.b</em> axb <em>(c</em>')
  })
})

describe('marks', () => {
  it('stand around each word in each field, in any case', () => {
    expect(markLabel(line(), ['p'])).toEqual({
      message: ['<em>P</em>um<em>p</em> B started'],
      module: ['<em>P</em>9-B'],
    })
    const fields = ['message', 'module', 'log.level', 'event.code', 'winlog.user.name', 'host.hostname'] as const
    const everywhere = Object.fromEntries(fields.map((field) => [field, 'a pump']))
    const marked = Object.fromEntries(fields.map((field) => [field, ['a <em>pump</em>']]))
    expect(markLabel(line(everywhere), ['pump'])).toEqual(marked)
  })

  it.each([
    ['ÄKTA läuft', 'akta', '<em>ÄKTA</em> läuft'],
    ['A\u0308KTA läuft', 'äkta läuft', '<em>A\u0308KTA</em> <em>läuft</em>'],
    ['große Straße', 'strass', 'große <em>Straß</em>e'],
    ['Ærø 5 °C', 'ro', 'Æ<em>rø</em> 5 °C'],
    ['ﬁlter', 'i', '<em>ﬁ</em>lter'],
    ['ﬁlter', 'f i', '<em>ﬁ</em>lter'],
    ['25 ℃, № 7', '°c no', '25 <em>℃</em>, <em>№</em> 7'],
    ['25 °C', '℃', '25 <em>°C</em>'],
    ['ΛΌΓΟΣ', 'λόγος', '<em>ΛΌΓΟΣ</em>'],
    ['😀 pump 😀', 'PUMP', '😀 <em>pump</em> 😀'],
  ])('stand where letters were folded: %s', (message, search, marked) => {
    expect(marksOf(message, search)).toBe(marked)
  })

  it('are the only HTML of a line', () => {
    const message = '<img src=x onerror=alert(1)> & "pump" \'s'
    expect(marksOf(message, 'pump <img')).toBe(
      '<em>&lt;img</em> src=x onerror=alert(1)&gt; &amp; &quot;<em>pump</em>&quot; &#39;s',
    )
    expect(marksOf('<em>ä</em>', 'a')).toBe('&lt;em&gt;<em>ä</em>&lt;/em&gt;')
  })

  it('prefer the longer of two words that begin alike, and are none where nothing matches', () => {
    expect(marksOf('pumping', 'pump pumping')).toBe('<em>pumping</em>')
    expect(markLabel(line(), ['valve'])).toBeNull()
  })

  it('are a thousand at most, and the text is whole', () => {
    const marked = marksOf('e<'.repeat(5000), 'e') ?? ''
    expect(marked.match(/<em>/g)).toHaveLength(1000)
    expect(marked.replace(/<\/?em>/g, '')).toBe('e&lt;'.repeat(5000))
  })
})
