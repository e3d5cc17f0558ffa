import { describe, expect, it } from 'vitest'
import { type LogTexts, likePattern, markWords, searchWords } from './log-words.ts'

const line = (over: Partial<LogTexts> = {}): LogTexts => ({
  message: 'Pump B started',
  module: 'P9-B',
  'log.level': 'INFO',
  'event.code': null,
  'winlog.user.name': null,
  'host.hostname': null,
  ...over,
})

describe('words of a search', () => {
  it('are cut at blanks, once each', () => {
    expect(searchWords('  pump  P9-B pump ')).toEqual(['pump', 'P9-B'])
  })

  it('are looked for as they stand, also with signs that patterns know', () => {
    expect(likePattern('100%_\\')).toBe('%100\\%\\_\\\\%')
    expect(markWords(line({ message: 'a.b axb (c' }), ['a.b', '(c'])).toEqual({
      message: ['<em>a.b</em> axb <em>(c</em>'],
    })
  })
})

describe('marks', () => {
  it('stand around each word in each field, in any case', () => {
    expect(markWords(line(), ['p'])).toEqual({
      message: ['<em>P</em>um<em>p</em> B started'],
      module: ['<em>P</em>9-B'],
    })
    expect(markWords(line({ message: 'ÄKTA läuft' }), ['äkta'])?.message).toEqual(['<em>ÄKTA</em> läuft'])
  })

  it('are the only HTML of a line', () => {
    const message = '<img src=x onerror=alert(1)> & "pump" \'s'
    expect(markWords(line({ message }), ['pump', '<img'])?.message).toEqual([
      '<em>&lt;img</em> src=x onerror=alert(1)&gt; &amp; &quot;<em>pump</em>&quot; &#39;s',
    ])
  })

  it('prefer the longer of two words that begin alike, and are none where nothing matches', () => {
    expect(markWords(line({ message: 'pumping' }), ['pump', 'pumping'])?.message).toEqual(['<em>pumping</em>'])
    expect(markWords(line(), ['valve'])).toBeNull()
  })
})
