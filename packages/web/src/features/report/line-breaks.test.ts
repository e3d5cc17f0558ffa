import { describe, expect, it } from 'vitest'
import { breakOpportunities } from './line-breaks.ts'

describe('a line of the PDF', () => {
  it.each(['pump', 'IP-20431187', '22-Nov-2026', 'Ελένη', '123456789012345678'])('never ends within %s', (word) => {
    expect(breakOpportunities(word)).toEqual([word])
  })

  it('may end between characters that are written without spaces, and never with a hyphen', () => {
    expect(breakOpportunities('東京バ')).toEqual(['東', '', '京', '', 'バ'])
  })

  it('does not begin with what closes or with a small kana', () => {
    expect(breakOpportunities('トウキョウ')).toEqual(['ト', '', 'ウ', '', 'キョ', '', 'ウ'])
    expect(breakOpportunities('東京、ポー」')).toEqual(['東', '', '京、', '', 'ポー」'])
  })

  it('keeps Latin words whole among them', () => {
    expect(breakOpportunities('丸の内1-9-1グ')).toEqual(['丸', '', 'の', '', '内', '', '1-9-1', '', 'グ'])
  })

  it('may end in a long address behind what joins its parts', () => {
    expect(breakOpportunities('maintenance.team@laboratory.example')).toEqual([
      'maintenance.',
      '',
      'team@',
      '',
      'laboratory.',
      '',
      'example',
    ])
  })

  it('ends somewhere in a word that no line could hold', () => {
    const parts = breakOpportunities('x'.repeat(50))
    expect(parts.join('')).toBe('x'.repeat(50))
    expect(Math.max(...parts.map((part) => part.length))).toBe(18)
  })

  it.each(['a'.repeat(20_000), '-'.repeat(20_000), '東、'.repeat(10_000), '、'.repeat(20_000)])(
    'is found in no time',
    (word) => {
      const before = performance.now()
      expect(breakOpportunities(word).join('')).toBe(word)
      expect(performance.now() - before).toBeLessThan(2000)
    },
  )
})
