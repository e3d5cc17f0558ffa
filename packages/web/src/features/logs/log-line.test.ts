import { describe, expect, it } from 'vitest'
import { cutText, readHighlight, SHOWN_CHARACTERS, showUnseen, type TextPiece } from './log-line.tsx'

const plain = (text: string): TextPiece => ({ text, isMarked: false })
const marked = (text: string): TextPiece => ({ text, isMarked: true })
const textOf = (pieces: readonly TextPiece[]) => pieces.map(({ text }) => text).join('')

describe('a highlight', () => {
  it('is text again, with what was found apart', () => {
    expect(readHighlight('<em>Pump</em> B &lt;started&gt; by <em>P9-B</em>')).toEqual([
      marked('Pump'),
      plain(' B <started> by '),
      marked('P9-B'),
    ])
  })

  it('takes escaped tags for what they are: text', () => {
    expect(readHighlight('&lt;em&gt;<em>&lt;img src=x&gt;</em>&lt;/em&gt;')).toEqual([
      plain('<em>'),
      marked('<img src=x>'),
      plain('</em>'),
    ])
  })

  it('is unescaped once, whatever form the signs have, and leaves unknown ones alone', () => {
    expect(textOf(readHighlight('&amp;lt; &quot;&#39;&#x2F;&apos; &nope; &#9999999;'))).toBe(
      `&lt; "'/' &nope; &#9999999;`,
    )
  })

  it('may reach over lines', () => {
    expect(readHighlight('a<em>b\nc</em>d')).toEqual([plain('a'), marked('b\nc'), plain('d')])
  })
})

describe('what cannot be seen', () => {
  it('is shown by its code, and keeps its mark', () => {
    expect(showUnseen([plain('bell \u0007\u001B[31m'), marked('\u0000')])).toEqual([
      plain('bell '),
      { text: '\\x07\\x1B', isMarked: false, sign: 'U+0007 U+001B' },
      plain('[31m'),
      { text: '\\x00', isMarked: true, sign: 'U+0000' },
    ])
    expect(textOf(showUnseen([plain('\u007F\u009B')]))).toBe('\\x7F\\x9B')
  })

  it('does not change the direction of the text beside it', () => {
    expect(textOf(showUnseen([plain('abc\u202Egpj.exe')]))).toBe('abc\\u202Egpj.exe')
  })

  it('is not what people write: lines, tabs, letters of any alphabet, joined signs', () => {
    const text = 'one\n\ttwo מערכת 警告 👩‍🔬'
    expect(showUnseen([plain(text)])).toEqual([plain(text)])
    expect(textOf(showUnseen([plain('one\r\ntwo\rthree')]))).toBe('one\ntwo\\x0Dthree')
  })
})

describe('a long text', () => {
  it('is cut at its beginning, and says so', () => {
    const { pieces, isCutBefore, isCutAfter, whole } = cutText([plain('x'.repeat(64_000))])
    expect(textOf(pieces)).toHaveLength(SHOWN_CHARACTERS)
    expect([isCutBefore, isCutAfter, whole]).toEqual([false, true, '64,000 characters'])
  })

  it('is cut after six lines, too', () => {
    expect(cutText([plain('a\nb\nc\nd\ne\nf\ng\nh')])).toEqual({
      pieces: [plain('a\nb\nc\nd\ne\nf')],
      isCutBefore: false,
      isCutAfter: true,
      whole: '8 lines',
    })
  })

  it('shows the first match, wherever it is', () => {
    const { pieces, isCutBefore, isCutAfter } = cutText([
      plain('x'.repeat(5000)),
      marked('needle'),
      plain('y'.repeat(5000)),
    ])
    expect(pieces.find(({ isMarked }) => isMarked)?.text).toBe('needle')
    expect([isCutBefore, isCutAfter]).toEqual([true, true])
  })

  it('stays whole when it is short, and tears no character in two', () => {
    const short = [plain('short '), marked('text')]
    expect(cutText(short)).toMatchObject({ pieces: short, isCutBefore: false, isCutAfter: false })
    const torn = cutText([plain(`${'x'.repeat(SHOWN_CHARACTERS - 1)}👍 and more`)])
    expect(textOf(torn.pieces)).toBe('x'.repeat(SHOWN_CHARACTERS - 1))
  })
})
