import { describe, expect, it } from 'vitest'
import { canShare, commentLength, isCommentTooLong, shareMessage } from './share-form.ts'

describe('the form that shares an event', () => {
  it('can be sent once at least one recipient is selected; a comment is optional', () => {
    expect(canShare({ receiverIds: [], comment: 'Please look' })).toBe(false)
    expect(canShare({ receiverIds: ['1'], comment: '' })).toBe(true)
  })

  it('takes 20 recipients', () => {
    const receivers = (count: number) => Array.from({ length: count }, (_, index) => String(index))
    expect(canShare({ receiverIds: receivers(20), comment: '' })).toBe(true)
    expect(canShare({ receiverIds: receivers(21), comment: '' })).toBe(false)
  })

  it('takes a comment of 2,000 characters, counted without the spaces around it', () => {
    const form = (comment: string) => ({ receiverIds: ['1'], comment })
    expect([commentLength(form(` ${'x'.repeat(2000)}\n`)), canShare(form(` ${'x'.repeat(2000)}\n`))]).toEqual([
      2000,
      true,
    ])
    expect([isCommentTooLong(form('x'.repeat(2001))), canShare(form('x'.repeat(2001)))]).toEqual([true, false])
  })

  it('sends no comment where there are only spaces', () => {
    expect(shareMessage({ receiverIds: [], comment: ' \n ' })).toBeNull()
    expect(shareMessage({ receiverIds: [], comment: ' Please look ' })).toBe('Please look')
  })
})
