import { describe, expect, it } from 'vitest'
import {
  connectionPlaceholders,
  fillPlaceholders,
  supportEmailPlaceholders,
  unknownPlaceholders,
} from './placeholders.ts'

describe('what a text names in braces', () => {
  it('is known by its exact name', () => {
    const all = supportEmailPlaceholders.map(({ name }) => `{${name}}`).join(' and ')
    expect(unknownPlaceholders(all, supportEmailPlaceholders)).toEqual([])
    const slips = 'Dear {contactname}, {contact name}, { date } and {}'
    expect(unknownPlaceholders(slips, supportEmailPlaceholders)).toEqual(['contactname', 'contact name', ' date ', ''])
  })

  it('is returned once, however often it occurs', () => {
    const text = '{serial} {date} {model} {serial}'
    expect(unknownPlaceholders(text, supportEmailPlaceholders)).toEqual(['serial', 'model'])
  })

  it('is a pair of braces on one line; what is not paired is text', () => {
    const text = '{{date}} { and } {first\nsecond} {date'
    expect(unknownPlaceholders(text, supportEmailPlaceholders)).toEqual([' and '])
  })

  it('of an event about a gateway is no instrument', () => {
    const text = '{gateway} {instrument} {minutes}'
    expect(unknownPlaceholders(text, connectionPlaceholders.OFFLINE)).toEqual([])
    expect(unknownPlaceholders(text, connectionPlaceholders.EDGE_ISSUE)).toEqual(['instrument'])
  })
})

describe('a text', () => {
  it('has each known placeholder replaced, as often as it occurs, and keeps other braces', () => {
    expect(fillPlaceholders('{a} {b} {a} {} {', { a: '1' })).toBe('1 {b} 1 {} {')
  })

  it('takes a value as it is, and no property that every object has', () => {
    expect(fillPlaceholders('{a} {toString}', { a: '$& {b}', b: '2' })).toBe('$& {b} {toString}')
  })
})
