import { describe, expect, it } from 'vitest'
import { supportEmailPlaceholders, unknownPlaceholders } from './notification-vocabulary.ts'

describe('what a text of a support e-mail names in braces', () => {
  it('is known by its exact name', () => {
    const all = supportEmailPlaceholders.map(({ name }) => `{${name}}`).join(' and ')
    expect(unknownPlaceholders(all)).toEqual([])
    expect(unknownPlaceholders('Dear {contactname}, {contact name}, { date } and {}')).toEqual([
      'contactname',
      'contact name',
      ' date ',
      '',
    ])
  })

  it('is told once, however often it stands there', () => {
    expect(unknownPlaceholders('{serial} {date} {model} {serial}')).toEqual(['serial', 'model'])
  })

  it('is a pair of braces on one line; what is not paired is text', () => {
    expect(unknownPlaceholders('{{date}} { and } {first\nsecond} {date')).toEqual([' and '])
  })
})
